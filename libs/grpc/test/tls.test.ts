import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { KeyHolder } from '@saleschannel/auth';
import { createAuthority, issueCertificate, type TlsCertificate } from '@saleschannel/auth/pki';
import { readEnvironment, silentLogger, type Logger } from '@saleschannel/runtime';
import { eventually, catchFailure, identityVariables } from '@saleschannel/testing';
import { createHealthProbe, createServiceIdentity, createTls, identityEnvironment, type Tls } from '../src/index.ts';
import { readCertificateNames } from '../src/tls.ts';
import {
  rbacClient,
  startRbac,
  type Rbac,
  createTlsFolder,
  createCredentials,
  type TlsFolder,
} from './support/servers.ts';

const PROBE_TIMEOUT_MS = 60_000;
/** A refused connection is retried until the call ends. */
const REFUSED_WITHIN_MS = 1_000;

let folder: TlsFolder;
let traders: Tls;
let rbac: Rbac;
const closing: (() => void)[] = [];

beforeAll(async () => {
  folder = await createTlsFolder();
});
afterAll(() => folder.remove());
beforeEach(async () => {
  traders = await folder.createTls('traders');
  rbac = await startRbac({ tls: await folder.createTls('rbac'), healthPort: 0 });
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await rbac.stop();
});

async function call(tls: Tls | undefined, program: KeyHolder = 'traders', timeoutMs?: number): Promise<unknown> {
  const client = rbacClient(rbac.address, await createCredentials(program, tls));
  closing.push(() => client.close());
  return client.GetSalesChannel({ salesChannelId: 'c1' }, timeoutMs === undefined ? {} : { timeoutMs });
}

const refusal = (tls: Tls | undefined): Promise<unknown> => catchFailure(call(tls, 'traders', REFUSED_WITHIN_MS));

test('programs of one authority talk to each other', async () => {
  expect(await call(traders)).toMatchObject({ id: 'c1' });
});

test('calls without a certificate are refused', async () => {
  expect(await refusal(undefined)).toMatchObject({ code: 'unavailable' });
  expect(rbac.calls).toBe(0);
});

test('a certificate of another authority is refused, of a client or a server', async () => {
  const stranger = await createAuthority('tests');
  const issued = await issueCertificate(stranger, { program: 'traders' });
  folder.write('stranger', issued);
  expect(await refusal(createTls(folder.listFiles('stranger'), silentLogger))).toMatchObject({ code: 'unavailable' });
  folder.write('suspicious', await folder.issue('traders'), stranger.certificate);
  expect(await refusal(createTls(folder.listFiles('suspicious'), silentLogger))).toMatchObject({ code: 'unavailable' });
  expect(rbac.calls).toBe(0);
});

test('an expired certificate is refused', async () => {
  folder.write('expired', await folder.issue('traders', { days: 1, now: new Date(Date.now() - 2 * 86_400_000) }));
  expect(await refusal(createTls(folder.listFiles('expired'), silentLogger))).toMatchObject({ code: 'unavailable' });
  expect(rbac.calls).toBe(0);
});

test('a token is valid only with the certificate of its own program', async () => {
  const gateway = await folder.createTls('gateway');
  expect(await catchFailure(call(gateway))).toMatchObject({ code: 'unauthenticated' });
  expect(rbac.calls).toBe(0);
});

test('a program with its own certificate and its own token calls only what it may', async () => {
  const webhooks = await folder.createTls('webhooks');
  expect(await catchFailure(call(webhooks, 'webhooks'))).toMatchObject({ code: 'forbidden' });
  expect(rbac.calls).toBe(0);
});

test('a server of another program gets no call', async () => {
  folder.write('impostor', await folder.issue('inventory'));
  const impostor = await startRbac({ tls: createTls(folder.listFiles('impostor'), silentLogger) });
  const client = rbacClient(impostor.address, await createCredentials('traders', traders));
  expect(
    await catchFailure(client.GetSalesChannel({ salesChannelId: 'c1' }, { timeoutMs: REFUSED_WITHIN_MS })),
  ).toMatchObject({
    code: 'unavailable',
  });
  expect(impostor.calls).toBe(0);
  client.close();
  await impostor.stop();
});

test('certificates and authorities are replaced under load, and no call fails', async () => {
  const next = await createAuthority('next');
  const both = `${folder.authority.certificate}${next.certificate}`;
  let isDone = false;
  let answered = 0;
  const calling = (async () => {
    while (!isDone) {
      // A new client for each call makes a new connection, with the current files.
      const client = rbacClient(rbac.address, await createCredentials('traders', traders));
      await client.GetSalesChannel({ salesChannelId: 'c1' });
      client.close();
      answered += 1;
    }
  })();
  const awaitMoreCalls = async (): Promise<void> => {
    const before = answered;
    await eventually(() => Promise.resolve(answered > before + 2), 'further calls');
  };
  const replaceFiles = async (authority: TlsCertificate, trusted: string): Promise<void> => {
    await awaitMoreCalls();
    for (const program of ['traders', 'rbac'])
      folder.write(program, await issueCertificate(authority, { program }), trusted);
    await awaitMoreCalls();
  };
  await replaceFiles(folder.authority, both);
  await replaceFiles(next, both);
  await replaceFiles(next, next.certificate);
  isDone = true;
  await calling;
  folder.write('left-behind', await folder.issue('traders'), both);
  expect(await refusal(createTls(folder.listFiles('left-behind'), silentLogger))).toMatchObject({
    code: 'unavailable',
  });
});

test('incomplete files are ignored until all are written', async () => {
  const errors: unknown[] = [];
  const logger = { info: () => undefined, error: (...words: unknown[]) => errors.push(words) } as unknown as Logger;
  const tls = await folder.createTls('traders', logger);
  const files = folder.listFiles('traders');
  const next = await folder.issue('traders');
  writeFileSync(files.certificate, next.certificate);
  tls.reload();
  expect(errors.length).toBeGreaterThan(0);
  expect(await call(tls)).toMatchObject({ id: 'c1' });
  writeFileSync(files.privateKey, next.privateKey);
  const before = errors.length;
  tls.reload();
  expect(errors).toHaveLength(before);
  expect(await call(tls)).toMatchObject({ id: 'c1' });
});

test('health requires a certificate at the port of calls, and none at its own', async () => {
  const withCertificate = createHealthProbe(rbac.address, { tls: { own: traders, receiver: 'rbac' } });
  const without = createHealthProbe(rbac.healthAddress ?? '');
  const refused = createHealthProbe(rbac.address);
  closing.push(...[withCertificate, without, refused].map((probe) => () => probe.close()));
  expect(await withCertificate.isServing(PROBE_TIMEOUT_MS)).toBe(true);
  expect(await without.isServing(PROBE_TIMEOUT_MS)).toBe(true);
  expect(await refused.isServing(REFUSED_WITHIN_MS)).toBe(false);
  const client = rbacClient(rbac.healthAddress ?? '', await createCredentials('traders', undefined));
  expect(await catchFailure(client.GetSalesChannel({ salesChannelId: 'c1' }))).toMatchObject({ code: 'internal' });
  client.close();
});

test('all TLS files or none must be named, and exist at the start', async () => {
  const { certificate, privateKey, authorities } = folder.listFiles('traders');
  const identityWith = (variables: Record<string, string>) =>
    createServiceIdentity(
      'traders',
      readEnvironment(identityEnvironment, { ...identityVariables('traders'), ...variables }),
      silentLogger,
    );
  const all = { GRPC_TLS_CERT_FILE: certificate, GRPC_TLS_KEY_FILE: privateKey, GRPC_TLS_CA_FILE: authorities };
  expect((await identityWith(all)).tokens.tls).toBeDefined();
  expect((await identityWith({})).tokens.tls).toBeUndefined();
  for (const name of Object.keys(all))
    await expect(identityWith({ ...all, [name]: '' })).rejects.toThrow('needs all of');
  await expect(identityWith({ ...all, GRPC_TLS_CA_FILE: '/nowhere' })).rejects.toThrow('/nowhere');
});

test('a certificate names its DNS names and SPIFFE ids, and nothing else', () => {
  const names = (subjectaltname: string): string[] => [...readCertificateNames({ subjectaltname })];
  expect(names('DNS:inventory, DNS:inventory.saleschannel.svc')).toEqual(['inventory', 'inventory.saleschannel.svc']);
  expect(names('URI:spiffe://cluster.local/ns/saleschannel/sa/rbac')).toEqual(['rbac']);
  expect(names('URI:https://example.org/rbac, IP Address:127.0.0.1, email:rbac')).toEqual([]);
  expect(names('DNS:"a, DNS:rbac, b"')).toEqual([]);
  expect(readCertificateNames({})).toEqual(new Set());
});
