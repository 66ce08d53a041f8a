import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createTokenVerifier } from '@saleschannel/auth';
import { silentLogger } from '@saleschannel/runtime';
import { catchFailure, neighbour, publicKeys } from '@saleschannel/testing';
import { createGrpcServer, createHealthProbe, type GrpcServer, type Tls } from '../src/index.ts';
import { rbacClient } from './support/rbac.ts';
import { createTlsFolder, createCredentials, type TlsFolder } from './support/tls.ts';

const PROBE_TIMEOUT_MS = 60_000;
const REFUSED_WITHIN_MS = 1_000;

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

let folder: TlsFolder;
beforeAll(async () => {
  folder = await createTlsFolder();
});
afterAll(() => folder.remove());

function createRbac(host: string, tls?: Tls): GrpcServer {
  const GetSalesChannel = async ({ salesChannelId: id }: { salesChannelId: string }) => ({ id, name: 'One' });
  const server = createGrpcServer({
    host,
    port: 0,
    services: [neighbour('bindingDirectory', ['traders'], { GetSalesChannel })],
    tokens: createTokenVerifier(publicKeys, 'rbac'),
    logger: silentLogger,
    tls,
  });
  closing.push(() => server.stop());
  return server;
}

async function call(address: string, tls?: Tls, program: 'traders' | 'webhooks' = 'traders', receiver = 'rbac') {
  const own = await createCredentials(program, tls);
  const client = rbacClient(address, { ...own, getToken: () => own.getToken(receiver) });
  closing.push(() => client.close());
  return client.GetSalesChannel({ salesChannelId: 'c1' }, { timeoutMs: REFUSED_WITHIN_MS });
}

test('a server listens at a socket and inside its process, and stops at both', async () => {
  const server = createRbac('127.0.0.1,in-process:one/rbac');
  await server.start();
  expect(server.address).toMatch(/^127\.0\.0\.1:[1-9]/);
  for (const address of [server.address, 'in-process:one/rbac']) {
    expect(await call(address)).toMatchObject({ id: 'c1' });
    const probe = createHealthProbe(address);
    expect(await probe.isServing(PROBE_TIMEOUT_MS)).toBe(true);
    probe.close();
  }
  await server.stop();
  for (const address of [server.address, 'in-process:one/rbac']) {
    expect(await catchFailure(call(address))).toMatchObject({ code: 'unavailable' });
    const probe = createHealthProbe(address);
    expect(await probe.isServing(REFUSED_WITHIN_MS)).toBe(false);
    probe.close();
  }
});

test('a name belongs to one server of the process until it stops', async () => {
  const [first, second] = [createRbac('in-process:two/rbac'), createRbac('in-process:two/rbac')];
  await first.start();
  await expect(second.start()).rejects.toThrow('Another server of this process listens at in-process:two/rbac');
  expect(await call('in-process:two/rbac')).toMatchObject({ id: 'c1' });
  await first.stop();
  await second.start();
  expect(await call('in-process:two/rbac')).toMatchObject({ id: 'c1' });
});

test('a server has one socket and one name', () => {
  expect(() => createRbac('127.0.0.1,::1')).toThrow('listens at one host and under one in-process name');
  expect(() => createRbac('in-process:a,in-process:b')).toThrow('listens at one host and under one in-process name');
});

test('in-process calls require a token, socket calls also a certificate', async () => {
  const [rbac, traders] = await Promise.all([folder.createTls('rbac'), folder.createTls('traders')]);
  const server = createRbac('127.0.0.1,in-process:three/rbac', rbac);
  await server.start();
  expect(await call('in-process:three/rbac', traders)).toMatchObject({ id: 'c1' });
  expect(await call('in-process:three/rbac')).toMatchObject({ id: 'c1' });
  expect(await call(server.address, traders)).toMatchObject({ id: 'c1' });
  expect(await catchFailure(call(server.address))).toMatchObject({ code: 'unavailable' });
  const elsewhere = call('in-process:three/rbac', traders, 'traders', 'inventory');
  expect(await catchFailure(elsewhere)).toMatchObject({ code: 'unauthenticated' });
  expect(await catchFailure(call('in-process:three/rbac', traders, 'webhooks'))).toMatchObject({ code: 'forbidden' });
});
