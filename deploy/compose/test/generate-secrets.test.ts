import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { readOwner } from '@saleschannel/auth';
import { brokerPrograms, databaseServices, programsWithKey } from '@saleschannel/installation';
import {
  compose,
  readSettings,
  folderWithSecrets,
  generateSecrets,
  readSecret,
  secretFile,
} from './support/compose.ts';

const { folder, remove } = folderWithSecrets();
const development = folderWithSecrets('--dev');
afterAll(() => {
  remove();
  development.remove();
});

const read = (name: string): string => readSecret(folder, name);
const settingsFile = join(folder, '.env');

const contents = (): Record<string, string> =>
  Object.fromEntries(readdirSync(join(folder, '.secrets')).map((name) => [name, read(name)]));

test('they are complete for Compose, in a folder that only the owner can enter', () => {
  const mounted = Object.values(compose.secrets).map(({ file }) => basename(file));
  const modeOf = (path: string): number => statSync(path).mode & 0o777;
  expect(readdirSync(join(folder, '.secrets')).toSorted()).toEqual([...mounted, 'installation.json'].toSorted());
  expect(modeOf(join(folder, '.secrets'))).toBe(0o700);
  expect(modeOf(secretFile(folder, 'installation.json'))).toBe(0o600);
  expect(modeOf(settingsFile)).toBe(0o600);
  for (const file of mounted) expect(modeOf(secretFile(folder, file))).toBe(0o644);
});

test('each holder has its own key, and settings contain only public halves', () => {
  const { keys } = JSON.parse(readSettings(folder)['SERVICE_PUBLIC_KEYS'] ?? '{"keys":[]}') as {
    keys: { kid: string; x: string; d?: string }[];
  };
  expect(keys.map(({ kid }) => readOwner(kid)).toSorted()).toEqual(programsWithKey.toSorted());
  for (const { kid, x, d } of keys) {
    expect(d).toBeUndefined();
    expect(JSON.parse(read(`${readOwner(kid)}-service-key`))).toMatchObject({
      kid,
      x,
      d: expect.any(String) as unknown,
    });
  }
});

test('each service has its own database and broker user', () => {
  const roles = new Map<string, string>(
    Array.from(read('postgres-roles').matchAll(/(\S{1,200}) (\S{1,200})(?: |\n)/g), ([, role = '', password = '']) => [
      role,
      password,
    ]),
  );
  // Two per service, the auditor's and the monitor's.
  expect(roles.size).toBe(2 * databaseServices.length + 2);
  expect(roles.get('saleschannel_monitor')).toBe(read('postgres-monitor-password'));
  expect(new Set(roles.values()).size).toBe(roles.size);
  expect(new URL(read('auditor-audit-database-url').replace('{service}', 'tasks'))).toMatchObject({
    username: 'saleschannel_auditor',
    password: roles.get('saleschannel_auditor'),
    pathname: '/saleschannel_tasks',
  });
  for (const name of databaseServices) {
    const url = new URL(read(`${name}-database-url`));
    expect(url).toMatchObject({ host: 'postgres:5432', pathname: `/${url.username}` });
    expect(roles.get(url.username)).toBe(url.password);
    const owner = new URL(read(`${name}-migration-database-url`));
    expect(owner).toMatchObject({ host: 'postgres:5432', pathname: url.pathname, username: `${url.username}_owner` });
    expect(roles.get(owner.username)).toBe(owner.password);
  }
  for (const name of brokerPrograms)
    expect(new URL(read(`${name}-amqp-url`))).toMatchObject({
      username: name,
      host: 'rabbitmq:5672',
      pathname: '/saleschannel',
    });
});

test('definitions of the broker contain no administrator and no password', () => {
  const { users, permissions, vhosts } = JSON.parse(read('rabbitmq-definitions.json')) as {
    users: { name: string; tags: string }[];
    permissions: { user: string; vhost: string }[];
    vhosts: { name: string }[];
  };
  const names = brokerPrograms.toSorted();
  expect(users.map(({ name }) => name).toSorted()).toEqual(names);
  expect(permissions.map(({ user }) => user).toSorted()).toEqual(names);
  expect(users.every(({ tags }) => tags === '')).toBe(true);
  expect(vhosts).toEqual([{ name: 'saleschannel' }]);
  expect(read('rabbitmq-definitions.json')).not.toContain(new URL(read('tasks-amqp-url')).password);
});

test('secrets and settings stay when generated again, and a rotation changes only its own secret', () => {
  const before = contents();
  writeFileSync(settingsFile, `${readFileSync(settingsFile, 'utf8')}RATE_LIMIT_BURST=7\n`);
  chmodSync(settingsFile, 0o600);
  expect(generateSecrets(folder).status).toBe(0);
  expect(contents()).toEqual(before);
  expect(readSettings(folder)).toMatchObject({
    RATE_LIMIT_BURST: '7',
    SERVICE_PUBLIC_KEYS: expect.stringContaining('gateway') as unknown,
  });

  expect(generateSecrets(folder, '--rotate', 'broker').status).toBe(0);
  const after = contents();
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  const urls = brokerPrograms.map((name) => `${name}-amqp-url`);
  expect(changed.toSorted()).toEqual([...urls, 'installation.json', 'rabbitmq-definitions.json'].toSorted());
});

test('service keys and the pepper rotate step by step', () => {
  const { folder: own, remove: removeOwn } = folderWithSecrets();
  try {
    const keysOf = (): { kid: string; x: string }[] =>
      (JSON.parse(readSettings(own)['SERVICE_PUBLIC_KEYS'] ?? '{}') as { keys: { kid: string; x: string }[] }).keys;
    const gatewayKey = (): { x: string } => JSON.parse(readSecret(own, 'gateway-service-key')) as { x: string };
    const before = gatewayKey();
    for (const step of ['prepare', 'switch', 'finish']) {
      for (const rotation of ['service-keys', 'pepper'])
        expect(generateSecrets(own, '--rotate', rotation, '--step', step)).toMatchObject({ status: 0 });
      const known = keysOf().map(({ x }) => x);
      expect(known).toContain(gatewayKey().x);
      expect(gatewayKey().x === before.x).toBe(step === 'prepare');
      expect(known.includes(before.x)).toBe(step !== 'finish');
    }
    expect(readSecret(own, 'identity-api-key-pepper')).toMatch(/^2:[A-Za-z0-9+/=]+$/);
  } finally {
    removeOwn();
  }
});

test('refuses an unknown rotation, with the known ones, and --dev in a production folder', () => {
  const before = contents();
  expect(generateSecrets(folder, '--rotate', 'everything')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^error: .* service-keys, pepper, tls-authority, database, broker, statement-key[^\n]*\n\(Run with [^\n]*\n$/,
    ) as unknown,
  });
  expect(generateSecrets(folder, '--dev')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^error: [^\n]* is not for development[^\n]*\n\(Run with --help[^\n]*\n$/) as unknown,
  });
  expect(contents()).toEqual(before);
});

test('for development they contain both addresses of the provider', () => {
  expect(parseEnv(readFileSync(join(development.folder, '.env'), 'utf8'))).toMatchObject({
    OIDC_ISSUER: 'http://localhost:8090',
    OIDC_JWKS_URL: 'http://dev-idp:8090/jwks',
    COMPOSE_PROFILES: 'dev',
  });
});

test('the development provider redirects to the current portal and console', () => {
  const settings = join(development.folder, '.env');
  const moved = 'PORTAL_URL=http://localhost:9070\nCONSOLE_URL=http://127.0.0.1:9071\n';
  const kept = readFileSync(settings, 'utf8').replace(/^PORTAL_URL=.*\n/m, '');
  writeFileSync(settings, `${kept}${moved}`);
  expect(generateSecrets(development.folder)).toMatchObject({ status: 0 });
  const clients = JSON.parse(readSecret(development.folder, 'dev-idp-clients.json')) as { redirectUris?: string[] }[];
  expect(clients.flatMap(({ redirectUris = [] }) => redirectUris)).toEqual([
    'http://localhost:9070/callback',
    'http://127.0.0.1:9071/callback',
  ]);
});
