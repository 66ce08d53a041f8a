import { statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { AUDITOR, ADMIN, databaseServices, productionServices, sandboxServices } from '@saleschannel/installation';
import { behindGateway, edges } from '../plan.ts';
import { compose, serviceOf } from './support/compose.ts';
import { createCheckout, type Checkout } from './support/scripts.ts';

let checkout: Checkout | undefined;
afterEach(() => {
  checkout?.remove();
  checkout = undefined;
});
const startWith = (settings: string): Checkout => (checkout = createCheckout(settings));

const isSecond = (name: string): boolean => name.endsWith('-2');
const seconds = (names: readonly string[]): string[] => names.map((name) => `${name}-2`);
/** Services with clients or actions of their own, which must not run on an unchecked system. */
const letIn: readonly string[] = [...edges, ...seconds(edges), 'proxy', 'console', 'sandbox', 'dev-idp'];

/** Services that a call of "up" starts, with dependencies. */
function startedBy(call: string): Set<string> {
  const [command, ...words] = call.split(' ');
  const started = new Set<string>();
  if (command !== 'up') return started;
  const open = words.filter((word) => !word.startsWith('--'));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (started.has(name)) continue;
    started.add(name);
    if (!words.includes('--no-deps')) open.push(...Object.keys(serviceOf(name).depends_on ?? {}));
  }
  return started;
}

test('the plan contains every service of docker-compose.yml', () => {
  const known = [
    ...seconds([...behindGateway, ...edges]),
    ...databaseServices.map((name) => `migrate-${name}`),
    ...behindGateway,
    ...edges,
    ...sandboxServices.map(({ name }) => name),
    ...Object.keys(compose.services).filter((name) => serviceOf(name).profiles?.includes('observe')),
  ].concat('postgres', 'rabbitmq', 'backup', 'restore', 'proxy', 'console', 'dev-idp', ADMIN, AUDITOR);
  expect(Object.keys(compose.services).toSorted()).toEqual(known.toSorted());
  expect(productionServices.map(({ name }) => name).toSorted()).toEqual(
    [...behindGateway, ...edges, 'console'].toSorted(),
  );
});

const optional = ['production', 'dev', 'console', 'sandbox', 'observe', 'backup'];
const combinations = Array.from({ length: 2 ** optional.length }, (_, mask) =>
  optional.filter((_name, bit) => (mask >> bit) & 1).join(','),
);

test.each(combinations)(
  'with the profiles "%s" it opens after reconciliation and audit, and nothing else',
  (profiles) => {
    const { run, calls } = startWith(`COMPOSE_PROFILES=${profiles}\n`);
    expect(run('restore.sh', 'open')).toMatchObject({ status: 0, stderr: '' });
    const all = calls();
    const reconciled = all.indexOf('run --rm -T admin reconcile --wait');
    const audited = all.indexOf('run --rm -T auditor');
    expect(0 < reconciled && reconciled < audited).toBe(true);
    const before = new Set(all.slice(0, audited).flatMap((call) => [...startedBy(call)]));
    expect([...before].filter((name) => letIn.includes(name))).toEqual([]);
    const isProduction = profiles.split(',').includes('production');
    const replicas = (names: readonly string[]): string[] => [...names, ...(isProduction ? seconds(names) : [])];
    for (const name of replicas(behindGateway)) expect(before).toContain(name);
    const named = all.flatMap((call) => (call.startsWith('up ') ? call.split(' ').slice(1) : []));
    expect(named.filter((name) => !name.startsWith('--')).toSorted()).toEqual(
      [
        ...replicas([...behindGateway, ...edges]),
        ...(isProduction ? ['proxy'] : []),
        ...(profiles.includes('backup') ? ['backup'] : []),
      ].toSorted(),
    );
    const after = all.flatMap((call) => [...startedBy(call)]);
    for (const name of ['console', 'sandbox', 'dev-idp', 'grafana', 'prometheus']) expect(after).not.toContain(name);
    if (!isProduction) expect(after.filter(isSecond)).toEqual([]);
  },
);

test.each([
  ['reconcile', 'The reconciliation did not complete. Gateway and portal stay closed.\n'],
  ['auditor', 'The audit failed. Gateway and portal stay closed.\n'],
])('when %s fails, nothing opens and the backup folder stays', (failing, stderr) => {
  const { run, calls, fail, settings } = startWith('COMPOSE_PROFILES=production,backup\n');
  fail(failing);
  expect(run('restore.sh', 'open')).toMatchObject({ status: 1, stderr });
  expect(calls().flatMap((call) => [...startedBy(call)].filter((name) => letIn.includes(name)))).toEqual([]);
  expect(settings()).toBe('COMPOSE_PROFILES=production,backup\n');
});

test.each(letIn.filter((name) => name !== 'dev-idp'))('it checks nothing while %s serves clients', (name) => {
  const { run, calls, start } = startWith('COMPOSE_PROFILES=\n');
  start(name);
  expect(run('restore.sh', 'check')).toMatchObject({
    status: 1,
    stderr: `${name} is running, so clients can reach a system that is not checked. Stop it first.\n`,
  });
  expect(calls()).toEqual([]);
});

test('data stops services of all profiles and keeps the former data', () => {
  const { run, calls, settings } = startWith('COMPOSE_PROFILES=production\n');
  expect(run('restore.sh', 'data', '2026-01-31 13:37:00+00').status).toBe(0);
  const [stop = '', aside = '', restore, broker = '', ...rest] = calls();
  const stopped = stop.split(' ').slice(1);
  expect(stopped).toEqual(
    expect.arrayContaining([
      ...letIn.filter((name) => name !== 'dev-idp'),
      ...behindGateway,
      ...seconds(behindGateway),
    ]),
  );
  expect(stopped.slice(-3)).toEqual(['backup', 'rabbitmq', 'postgres']);
  for (const name of stopped) expect(() => serviceOf(name)).not.toThrow();
  expect(aside).toMatch(/^run --rm -T --no-deps --entrypoint bash postgres -c .*mv "\$PGDATA" "\$PGDATA-before-/);
  expect(restore).toBe('run --rm -T --no-deps restore 2026-01-31 13:37:00+00');
  expect(broker).toMatch(/^run --rm -T --no-deps --entrypoint sh rabbitmq -c /);
  expect(rest).toEqual([]);
  // Heads after the restored time must not be reported as missing.
  expect(parseEnv(settings())['AUDITOR_ANCHORS']).toMatch(/^heads-from-\d{8}T\d{6}Z\.jsonl$/);
  expect(serviceOf('restore')).toMatchObject({
    environment: { BACKUP_FOLDER: '/kept/${BACKUP_FOLDER:-backup}' },
    profiles: ['restore'],
    restart: 'no',
  });
});

test('data to the end of the log keeps the heads of audit trails', () => {
  const { run, settings } = startWith('COMPOSE_PROFILES=production\n');
  expect(run('restore.sh', 'data').status).toBe(0);
  expect(settings()).toBe('COMPOSE_PROFILES=production\n');
});

test.each([
  ['2026-01-31T13:37:00Z', "The time must have a numeric UTC offset, such as '2026-01-31 13:37:00+00'.\n"],
  ['2026-01-31', "The time must have a numeric UTC offset, such as '2026-01-31 13:37:00+00'.\n"],
  ['2999-01-01 00:00:00+00', '2999-01-01 00:00:00+00 is in the future.\n'],
])('the moment %s is refused before anything stops', (moment, stderr) => {
  const { run, calls } = startWith('');
  expect(run('restore.sh', 'data', moment)).toMatchObject({ status: 1, stderr });
  expect(calls()).toEqual([]);
});

test('backups after a restore go to a new folder, which a second open keeps', () => {
  const { run, settings, settingsFile } = startWith('COMPOSE_PROFILES=backup\nBACKUP_FOLDER=backup\nBACKUP_KEEP=3\n');
  expect(run('restore.sh', 'open').status).toBe(0);
  const written = parseEnv(settings());
  expect(written).toEqual({
    COMPOSE_PROFILES: 'backup',
    BACKUP_KEEP: '3',
    BACKUP_FOLDER: expect.stringMatching(/^backup-from-\d{8}T\d{6}Z$/),
  });
  expect(statSync(settingsFile).mode & 0o777).toBe(0o600);
});

test.each(['restore.sh', 'roll.sh'])(
  '%s refuses a setting with two lines, because only the last would apply',
  (script) => {
    const { run, calls } = startWith('COMPOSE_PROFILES=production\nCOMPOSE_PROFILES=backup\n');
    expect(run(script, ...(script === 'restore.sh' ? ['open'] : []))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('.env defines COMPOSE_PROFILES more than once'),
    });
    expect(calls()).toEqual([]);
  },
);

test('roll.sh does nothing without the profile production', () => {
  const { run, calls } = startWith('COMPOSE_PROFILES=backup\n');
  expect(run('roll.sh')).toMatchObject({ status: 1, stdout: expect.stringContaining('production is not active') });
  expect(calls()).toEqual([]);
});

test('profiles are added and removed one by one', () => {
  const { run, settings } = startWith('OIDC_ISSUER=x\nCOMPOSE_PROFILES=production\nHTTP_PORT=80\n');
  expect(run('profile.sh', 'add', 'backup').stdout).toBe('COMPOSE_PROFILES=production,backup\n');
  expect(run('profile.sh', 'add', 'observe').stdout).toBe('COMPOSE_PROFILES=production,backup,observe\n');
  expect(run('profile.sh', 'add', 'backup').stdout).toBe('COMPOSE_PROFILES=production,observe,backup\n');
  expect(run('profile.sh', 'remove', 'production').stdout).toBe('COMPOSE_PROFILES=observe,backup\n');
  expect(settings()).toBe('OIDC_ISSUER=x\nHTTP_PORT=80\nCOMPOSE_PROFILES=observe,backup\n');
  expect(run('profile.sh', 'add', 'obsreve')).toMatchObject({ status: 2 });
  expect(settings()).toBe('OIDC_ISSUER=x\nHTTP_PORT=80\nCOMPOSE_PROFILES=observe,backup\n');
});
