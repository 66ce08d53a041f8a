import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import {
  completeSecrets,
  databaseServices,
  environmentOf,
  programNames,
  services,
  listVariables,
  variablesOf,
  type LocalInstallation,
} from '@saleschannel/installation';
import { readEnvironment } from '@saleschannel/runtime';
import { toClientsFile, prepareLocalInstallation } from '../src/place.ts';

const folder = mkdtempSync(join(tmpdir(), 'saleschannel-place-'));
const secrets = await completeSecrets({});
const urls = Object.fromEntries(databaseServices.map((name) => [name, `postgres://server/${name}`]));
const databases = { urls, owners: urls, auditUrl: 'postgres://server/{service}' };

const set: string[] = [];
function setVariable(name: string, value: string): void {
  process.env[name] = value;
  set.push(name);
}
afterEach(() => {
  for (const name of set.splice(0)) delete process.env[name];
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function placeWith(variables: Record<string, string> = {}): Promise<LocalInstallation> {
  const place = await prepareLocalInstallation({
    folder,
    gatewayPort: 1,
    idpPort: 2,
    portalPort: 3,
    secrets,
    databases,
    variables,
  });
  return { ...place, brokerUrlOf: (program) => `amqp://${program}@server` };
}

test.each(programNames)('%s gets every variable that it requires', async (program) => {
  const variables = variablesOf(program, await placeWith());
  expect(() => readEnvironment(environmentOf(program), variables)).not.toThrow();
});

test('the identity provider has the current address of the portal and keeps script clients', async () => {
  const script = { clientId: 'importer', clientSecret: 's3cret', kind: 'script' };
  writeFileSync(toClientsFile(folder), JSON.stringify([{ ...script, kind: 'web' }, script]));
  await placeWith();
  expect(JSON.parse(readFileSync(toClientsFile(folder), 'utf8'))).toEqual([
    {
      clientId: 'portal',
      clientSecret: secrets.portalClientSecret,
      kind: 'web',
      redirectUris: ['http://127.0.0.1:3/callback'],
      signedOutUris: ['http://127.0.0.1:3/'],
      backChannelLogoutUri: 'http://127.0.0.1:3/backchannel-logout',
    },
    script,
  ]);
});

test('services use plaintext by default, and with TLS each has its own certificate', async () => {
  const tlsOf = (place: LocalInstallation): string[] =>
    Object.entries(variablesOf('traders', place)).flatMap(([name, file]) =>
      name.startsWith('GRPC_TLS_') ? [readFileSync(file, 'utf8')] : [],
    );
  expect(tlsOf(await placeWith())).toEqual([]);
  setVariable('SERVICES_TLS', 'on');
  const issued = secrets.tls.programs['traders'];
  expect(tlsOf(await placeWith())).toEqual([issued?.certificate, issued?.privateKey, secrets.tls.trusted]);
  expect(statSync(join(folder, 'tls', 'traders-tls.key')).mode & 0o777).toBe(0o600);
});

test('settings of the environment reach the services that read them, except those of access tokens', async () => {
  setVariable('TASK_PICK_UP_SECONDS', '5');
  setVariable('RATE_LIMIT_BURST', '7');
  setVariable('OIDC_ISSUER', 'https://elsewhere.example.org/');
  setVariable('OIDC_JWKS_URL', 'https://elsewhere.example.org/jwks');
  const place = await placeWith();
  expect(variablesOf('tasks', place)).toMatchObject({ TASK_PICK_UP_SECONDS: '5' });
  expect(variablesOf('gateway', place)).toMatchObject({ RATE_LIMIT_BURST: '7' });
  expect(variablesOf('identity', place)).toMatchObject({ OIDC_ISSUER: 'http://127.0.0.1:2' });
  expect(variablesOf('identity', place)).not.toHaveProperty('OIDC_JWKS_URL');
});

test('every variable that is set reaches its service, except those that the stack sets', async () => {
  const own = new Set([
    'OIDC_ISSUER',
    'OIDC_AUDIENCE',
    'OIDC_JWKS_URL',
    'IDP_ISSUER',
    'IDP_AUDIENCE',
    'IDP_CLIENTS_FILE',
    // Its format is checked.
    'PORTAL_URL',
  ]);
  const inside = new Set(['secret', 'public-keys', 'tls-file', 'address', 'api-url', 'namespace']);
  const declared = programNames.flatMap((program) =>
    listVariables(program).flatMap(({ name, source }) => {
      const isPort = source.kind === 'listening' && source.part === 'port';
      return own.has(name) || inside.has(source.kind) || isPort || name === 'GRPC_HOST' ? [] : [{ program, name }];
    }),
  );
  for (const { name } of declared) setVariable(name, `value of ${name}`);
  const place = await placeWith();
  for (const { program, name } of declared)
    expect({ program, ...variablesOf(program, place) }).toMatchObject({ program, [name]: `value of ${name}` });
});

test('metrics are off, or have a port per service', async () => {
  expect(variablesOf('identity', await placeWith())).not.toHaveProperty('METRICS_PORT');
  setVariable('METRICS_PORT', '9500');
  const place = await placeWith();
  const metricsPorts = services.flatMap(({ name }) => variablesOf(name, place)['METRICS_PORT'] ?? []);
  expect(metricsPorts.length).toBeGreaterThan(5);
  expect(new Set(metricsPorts).size).toBe(metricsPorts.length);
  expect(metricsPorts[0]).toBe('9500');
});

test('variables of the start take precedence', async () => {
  setVariable('LOG_LEVEL', 'debug');
  expect(variablesOf('rbac', await placeWith({ LOG_LEVEL: 'warn' }))).toMatchObject({ LOG_LEVEL: 'warn' });
});
