import { expect, test } from '@jest/globals';
import { readEnvironment } from '@saleschannel/runtime';
import {
  addressOf,
  completeSecrets,
  environmentOf,
  identityOf,
  type LocalInstallation,
  programNames,
  listSecrets,
  secretVariables,
  sourceOf,
  variablesOf,
  listVariables,
} from '../src/index.ts';
import { ISSUER } from './support/programs.ts';

const secrets = await completeSecrets({});

const place: LocalInstallation = {
  host: '127.0.0.1',
  ports: {
    identity: 1,
    rbac: 2,
    traders: 3,
    inventory: 4,
    tasks: 5,
    events: 6,
    'registry-import': 7,
    gateway: 0,
    portal: 8,
    'dev-idp': 9,
    webhooks: 10,
    sandbox: 11,
  },
  namespace: 'test',
  secrets,
  databaseUrlOf: (program) => `postgres://server/${program}`,
  migrationUrlOf: (program) => `postgres://owner@server/${program}`,
  auditUrl: 'postgres://auditor@server/{service}',
  brokerUrlOf: (program) => `amqp://${program}@server`,
  settings: { OIDC_ISSUER: ISSUER, PORTAL_URL: 'https://portal.example.org', RATE_LIMIT_BURST: '7' },
};

test.each(programNames)('every variable of %s has a source', (program) => {
  expect(listVariables(program).map(({ name }) => name)).toEqual(Object.keys(environmentOf(program)));
});

test('a variable without a source is refused', () => {
  expect(() => sourceOf('tasks', 'NEW_VARIABLE')).toThrow('tasks reads NEW_VARIABLE');
});

test.each(programNames)('%s starts with the variables of a place, and has none that it does not read', (program) => {
  const variables = variablesOf(program, place);
  expect(() => readEnvironment(environmentOf(program), variables)).not.toThrow();
  expect(Object.keys(variables).filter((name) => !(name in environmentOf(program)))).toEqual([]);
});

test('values come from the place, then the installation, then the service', () => {
  expect(variablesOf('gateway', place)).toMatchObject({
    GATEWAY_HOST: '127.0.0.1',
    GATEWAY_PORT: '0',
    TASKS_ADDRESS: '127.0.0.1:5',
    AMQP_URL: 'amqp://gateway@server',
    AMQP_NAMESPACE: 'test',
    SERVICE_PRIVATE_KEY: JSON.stringify(secrets.serviceKeys.privateKeys['gateway']),
    LOG_LEVEL: 'info',
    RATE_LIMIT_BURST: '7',
  });
  expect(variablesOf('gateway', place)).not.toHaveProperty('RATE_LIMIT_PER_SECOND');
  expect(variablesOf('identity', place)).toMatchObject({
    GRPC_PORT: '1',
    DATABASE_URL: 'postgres://server/identity',
    API_KEY_PEPPER: secrets.apiKeyPepper,
  });
});

test('webhooks derives the URLs of the place unless they are set', () => {
  const hosts = { WEBHOOK_OWN_HOSTS: 'http://127.0.0.1:0,https://portal.example.org,http://127.0.0.1:9' };
  const settings = { ...place.settings, CONSOLE_URL: 'http://127.0.0.1:9' };
  expect(variablesOf('webhooks', { ...place, settings })).toMatchObject(hosts);
  const own = { WEBHOOK_OWN_HOSTS: 'api.example.org' };
  expect(variablesOf('webhooks', { ...place, settings: { ...settings, ...own } })).toMatchObject(own);
});

test('metrics are off without ports', () => {
  expect(variablesOf('tasks', place)).not.toHaveProperty('METRICS_PORT');
});

test('a place without a required value is refused', () => {
  expect(() => variablesOf('identity', { ...place, settings: {} })).toThrow('identity requires OIDC_ISSUER');
  expect(() => variablesOf('identity', { ...place, ports: { identity: 1 } })).toThrow('rbac has no port');
  expect(() => addressOf('tasks', { host: 'h', ports: {} })).toThrow('tasks has no port');
});

test.each(programNames)('the secrets of %s are those that it declares, each with a file of its own', (program) => {
  const found = listSecrets(program, place);
  expect(found.map(({ variable }) => variable)).toEqual(
    Object.keys(environmentOf(program)).filter((name) => secretVariables.has(name)),
  );
  for (const { file, value } of found) {
    // A program that acts as another one has that one's key.
    expect([program, identityOf(program)].some((name) => file.startsWith(`${name}-`))).toBe(true);
    expect(value).not.toBe('');
  }
});
