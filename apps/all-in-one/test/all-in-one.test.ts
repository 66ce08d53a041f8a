import { expect, test } from '@jest/globals';
import {
  completeSecrets,
  databaseServices,
  environmentOf,
  joinMigrationVariables,
  joinServiceVariables,
  productionServices,
  services,
  variablesOf,
  variablesOfMigration,
  type LocalInstallation,
  type ServiceName,
} from '@saleschannel/installation';
import { readEnvironment, readHostedValues, type App } from '@saleschannel/runtime';
import { createAllInOne, joinApps, type HostedApp } from '../src/all-in-one.ts';
import { defaultNames, hostableNames, parseServices } from '../src/hostable.ts';

const secrets = await completeSecrets({});
const names: readonly ServiceName[] = services.map(({ name }) => name);
const place: LocalInstallation = {
  host: '127.0.0.1',
  ports: Object.fromEntries(names.map((name, index) => [name, 1_000 + index])),
  metricsPorts: Object.fromEntries(names.map((name, index) => [name, 2_000 + index])),
  namespace: 'test',
  secrets,
  databaseUrlOf: (program) => `postgres://server/${program}`,
  migrationUrlOf: (program) => `postgres://owner@server/${program}`,
  auditUrl: 'postgres://auditor@server/{service}',
  brokerUrlOf: (program) => `amqp://${program}@server`,
  settings: {
    OIDC_ISSUER: 'https://issuer.example.org',
    PORTAL_URL: 'https://portal.example.org',
    CONSOLE_OPERATORS: 'operator',
    DRAIN_SECONDS: '3',
  },
};

test('every service of an installation can be hosted, and production services are by default', () => {
  expect([...hostableNames].toSorted()).toEqual([...names].toSorted());
  expect([...defaultNames].toSorted()).toEqual(productionServices.map(({ name }) => name).toSorted());
});

test('services are chosen by name', () => {
  expect(parseServices('tasks, gateway,tasks')).toEqual(['tasks', 'gateway']);
  expect(() => parseServices('tasks,constructor')).toThrow('There is no service "constructor". Choose among identity');
});

test.each([[names], [['tasks', 'inventory']], [['gateway']]] as readonly (readonly [readonly ServiceName[]])[])(
  'each of %j reads the variables of its own process, except for addresses',
  async (hosted) => {
    const { environment } = await createAllInOne(parseServices(hosted.join()));
    const values = readEnvironment(environment, joinServiceVariables(hosted, place));
    const inside = new Set(hosted.map((name) => `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`));
    for (const name of hosted) {
      const { METRICS_PORT: _ofAll, ...alone } = readEnvironment(environmentOf(name), variablesOf(name, place));
      const { METRICS_PORT: _ofProcess, ...own } = readHostedValues(name, values);
      expect(own).toEqual(Object.fromEntries(Object.entries(alone).filter(([variable]) => !inside.has(variable))));
    }
    expect(values).toMatchObject({ METRICS_PORT: place.metricsPorts?.[hosted[0] as ServiceName] });
  },
);

test('its migrations read the variables that each service reads alone', async () => {
  const { migration } = await createAllInOne(parseServices(databaseServices.join()));
  const values = readEnvironment(migration?.environment ?? {}, joinMigrationVariables(databaseServices, place));
  for (const name of databaseServices)
    expect(readHostedValues(name, values)).toMatchObject(variablesOfMigration(name, place));
});

test('a missing variable is reported with its service', async () => {
  const { environment } = await createAllInOne(['tasks']);
  const { DATABASE_URL: _without, ...variables } = joinServiceVariables(['tasks'], place);
  expect(() => readEnvironment(environment, variables)).toThrow('TASKS__DATABASE_URL is not set');
});

const log: string[] = [];

function hosted(name: string, { isEdge = false, ...own }: Partial<HostedApp> & Partial<App> = {}): HostedApp {
  const run = async (action: string): Promise<void> => {
    log.push(`${name} ${action}s`);
    await new Promise(setImmediate);
    log.push(`${name} has ${action === 'stop' ? 'stopped' : 'started'}`);
  };
  return { isEdge, app: { address: name, start: () => run('start'), stop: () => run('stop'), ...own } };
}

test('all start concurrently, edges stop first and together, and others in reverse order', async () => {
  log.length = 0;
  const app = joinApps([
    hosted('identity'),
    hosted('tasks'),
    hosted('gateway', { isEdge: true }),
    hosted('portal', { isEdge: true }),
  ]);
  await app.start();
  expect(log.slice(0, 4)).toEqual(['identity starts', 'tasks starts', 'gateway starts', 'portal starts']);
  expect(app.address).toBe('gateway, portal, tasks, identity');
  log.length = 0;
  await app.stop();
  expect(log).toEqual([
    'gateway stops',
    'portal stops',
    'gateway has stopped',
    'portal has stopped',
    'tasks stops',
    'tasks has stopped',
    'identity stops',
    'identity has stopped',
  ]);
});

test('a failed start stops all services, and a failed stop does not affect others', async () => {
  log.length = 0;
  const fails = () => Promise.reject(new Error('its port is taken'));
  const app = joinApps([hosted('identity'), hosted('rbac', { start: fails, stop: fails }), hosted('tasks')]);
  await expect(app.start()).rejects.toThrow('its port is taken');
  expect(log.slice(-4)).toEqual(['tasks stops', 'tasks has stopped', 'identity stops', 'identity has stopped']);
  await expect(app.stop()).rejects.toThrow('Some services did not stop cleanly');
});

test('it is healthy while all services are', () => {
  expect(joinApps([hosted('identity'), hosted('tasks', { isHealthy: true })]).isHealthy).toBe(true);
  expect(joinApps([hosted('identity'), hosted('tasks', { isHealthy: false })]).isHealthy).toBe(false);
});
