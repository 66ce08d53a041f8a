import { afterAll, afterEach, expect, test } from '@jest/globals';
import { createAllInOne } from '@saleschannel/all-in-one';
import {
  ADMIN,
  addressVariable,
  ALL_IN_ONE,
  AUDITOR,
  calleesOf,
  databaseServices,
  environmentOf,
  hostedServices,
  listMigrationSecretVariables,
  ports,
  productionServices,
  secretVariables,
  type ServiceName,
} from '@saleschannel/installation';
import { readHostedValues, toHostedVariable, readEnvironment } from '@saleschannel/runtime';
import { behindGateway, edges } from '../plan.ts';
import {
  allInOneCompose,
  compose,
  containerVariables,
  containerSecrets,
  containerEnvironment,
  serviceOf,
  folderWithSecrets,
} from './support/compose.ts';
import { createCheckout, type Checkout } from './support/scripts.ts';

const { folder, remove } = folderWithSecrets();
afterAll(remove);

const MIGRATION = `migrate-${ALL_IN_ONE}`;
const SECOND = `${ALL_IN_ONE}-2`;
const inside = new Set(hostedServices.map(addressVariable));
const allInOne = serviceOf(ALL_IN_ONE, allInOneCompose);

test('the process hosts all permanent services', () => {
  expect(hostedServices).toEqual([...behindGateway, ...edges]);
  expect(allInOne.command).toEqual(['serve', '--services', `\${ALL_IN_ONE_SERVICES:-${hostedServices.join()}}`]);
});

test('each hosted service reads the same variables as in its own container, except gRPC addresses', async () => {
  const { environment } = await createAllInOne(hostedServices);
  const values = readEnvironment(environment, containerEnvironment(ALL_IN_ONE, folder, allInOneCompose));
  const elsewhere = ([name]: [string, unknown]): boolean => name !== 'GRPC_PORT' && !inside.has(name);
  const compared = (variables: object): object => Object.fromEntries(Object.entries(variables).filter(elsewhere));
  for (const name of hostedServices) {
    const alone = readEnvironment(environmentOf(name), containerEnvironment(name, folder));
    // Each has its own certificate, in a file of the same name.
    expect({ name, ...compared(readHostedValues(name, values)) }).toEqual({ name, ...compared(alone) });
  }
});

test('its migrations read the variables of all migrations and reach only the database', async () => {
  const { migration } = await createAllInOne(hostedServices);
  const values = readEnvironment(
    migration?.environment ?? {},
    containerEnvironment(MIGRATION, folder, allInOneCompose),
  );
  for (const name of databaseServices) {
    const alone = containerEnvironment(`migrate-${name}`, folder);
    expect(Object.keys(alone)).toEqual(['LOG_LEVEL', 'MIGRATION_DATABASE_URL_FILE']);
    expect(String(readHostedValues(name, values)['MIGRATION_DATABASE_URL'])).toContain(
      `${name.replaceAll('-', '_')}_owner:`,
    );
  }
  expect(serviceOf(MIGRATION, allInOneCompose)).toMatchObject({
    image: allInOne.image,
    command: ['migrate'],
    restart: 'no',
    networks: ['database'],
    depends_on: { postgres: { condition: 'service_healthy' } },
  });
  expect(containerSecrets(MIGRATION, allInOneCompose)).toEqual(
    databaseServices.flatMap((name) => listMigrationSecretVariables(name).map(({ file }) => file)),
  );
});

test('without an issuer or keys it names the missing ones instead of starting', async () => {
  const { environment } = await createAllInOne(hostedServices);
  const {
    OIDC_ISSUER: _issuer,
    SERVICE_PUBLIC_KEYS: _keys,
    ...rest
  } = containerEnvironment(ALL_IN_ONE, folder, allInOneCompose);
  const { API_KEY_PEPPER_FILE: _pepper, ...without } = rest;
  expect(() => readEnvironment(environment, without)).toThrow(
    /IDENTITY__SERVICE_PUBLIC_KEYS is not set[^]*OIDC_ISSUER is not set[^]*IDENTITY__API_KEY_PEPPER is not set/,
  );
});

test('its secrets are files of the hosted services only', () => {
  const variables = containerVariables(ALL_IN_ONE, allInOneCompose);
  const names = Object.keys(variables).map((name) => name.replace(/^[A-Z_]+?__/, ''));
  expect(names.filter((name) => secretVariables.has(name))).toEqual([]);
  expect(containerSecrets(ALL_IN_ONE, allInOneCompose)).toEqual(
    hostedServices.flatMap((name) => containerSecrets(name)),
  );
  const files = Object.values(variables).filter((text) => text.startsWith('/run/secrets/'));
  expect(files.map((file) => file.slice('/run/secrets/'.length)).toSorted()).toEqual(
    containerSecrets(ALL_IN_ONE, allInOneCompose).toSorted(),
  );
});

test('it has the ports, networks and names of the hosted services, and the rights of every container', () => {
  const aliases = { edge: ['gateway', 'portal', 'edge-gateway'], services: ['gateway', 'portal'] };
  const networks = Object.fromEntries(
    ['edge', 'services', 'database', 'broker', 'outbound', 'receivers'].map((network) => {
      const names = (aliases as Record<string, string[]>)[network];
      return [network, names ? { aliases: names } : {}];
    }),
  );
  expect(allInOne).toMatchObject({
    networks,
    ports: [...(serviceOf('gateway').ports ?? []), ...(serviceOf('portal').ports ?? [])],
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    restart: 'unless-stopped',
    depends_on: {
      [MIGRATION]: { condition: 'service_completed_successfully' },
      rabbitmq: { condition: 'service_healthy' },
    },
  });
  expect(allInOne.healthcheck?.test.at(-1)).toBe(`grpc://127.0.0.1:${ports.health}`);
  const { networks: found, ports: published, profiles, ...second } = serviceOf(SECOND, allInOneCompose);
  expect(allInOne).toMatchObject(second);
  expect({ published, profiles }).toEqual({ published: [], profiles: ['production'] });
  for (const [network, { aliases: names = [] }] of Object.entries(found as Record<string, { aliases?: string[] }>))
    expect(names).toEqual([ALL_IN_ONE, ...((aliases as Record<string, string[]>)[network] ?? [])]);
});

test('other programs reach each service at its own port of the process', () => {
  const own = containerVariables(ALL_IN_ONE, allInOneCompose);
  const called: ServiceName[] = [];
  for (const name of [ADMIN, 'console', 'sandbox'] as const)
    for (const callee of calleesOf(name)) {
      const port = own[toHostedVariable(callee, 'GRPC_PORT')];
      expect(containerVariables(name, allInOneCompose)[addressVariable(callee)]).toBe(`${ALL_IN_ONE}:${port}`);
      called.push(callee);
    }
  expect(new Set(called)).toEqual(new Set(behindGateway));
  const addresses = behindGateway.map((name) => own[toHostedVariable(name, 'GRPC_PORT')]);
  expect(new Set(addresses).size).toBe(behindGateway.length);
  expect(own).toMatchObject({ SANDBOX_ADDRESS: 'sandbox:50051', PORTAL_API_URL: 'http://edge-gateway:8080' });
});

test('servers, commands, secrets, networks and volumes are those of docker-compose.yml', () => {
  const removed = [...hostedServices, ...edges, ...behindGateway].flatMap((name) => [
    name,
    `${name}-2`,
    ...(databaseServices.includes(name) ? [`migrate-${name}`] : []),
  ]);
  const kept = Object.keys(compose.services).filter((name) => !removed.includes(name));
  expect(Object.keys(allInOneCompose.services).toSorted()).toEqual([...kept, ALL_IN_ONE, SECOND, MIGRATION].toSorted());
  const differ = new Set([ADMIN, 'console', 'sandbox', 'proxy']);
  for (const name of kept) {
    const hosted = serviceOf(name, allInOneCompose);
    const separate = serviceOf(name);
    if (!differ.has(name)) expect({ name, ...hosted }).toEqual({ name, ...separate });
    else {
      const { environment: _here, depends_on: _after, ...same } = hosted;
      expect(separate).toMatchObject(same);
    }
  }
  for (const part of ['secrets', 'networks', 'volumes'] as const) expect(allInOneCompose[part]).toEqual(compose[part]);
  expect(serviceOf('proxy', allInOneCompose).depends_on).toEqual({
    [ALL_IN_ONE]: { condition: 'service_healthy' },
    [SECOND]: { condition: 'service_healthy' },
  });
  expect(productionServices.map(({ name }) => name)).toEqual([...hostedServices, 'console']);
  expect(kept).toContain(AUDITOR);
});

let checkout: Checkout | undefined;
afterEach(() => {
  checkout?.remove();
  checkout = undefined;
});
const FILE = 'COMPOSE_FILE=docker-compose.all-in-one.yml';

test.each(['', 'production'])(
  'with the profile "%s" a restore opens the process after reconciliation and audit',
  (profile) => {
    checkout = createCheckout(`${FILE}\nCOMPOSE_PROFILES=${profile}\n`);
    expect(checkout.run('restore.sh', 'open')).toMatchObject({ status: 0, stderr: '' });
    const both = profile === '' ? ALL_IN_ONE : `${ALL_IN_ONE} ${SECOND}`;
    expect(checkout.calls()).toEqual([
      `up --detach ${both} hosting ${behindGateway.join()}`,
      'run --rm -T admin reconcile --wait',
      'run --rm -T auditor',
      `up --detach ${both}${profile === '' ? '' : ' proxy'}`,
    ]);
  },
);

test('a restore stops it, and checks nothing while another container serves clients', () => {
  checkout = createCheckout(`${FILE}\nCOMPOSE_PROFILES=production\n`);
  expect(checkout.run('restore.sh', 'data').status).toBe(0);
  expect(checkout.calls()[0]).toBe(`stop proxy console sandbox ${ALL_IN_ONE} ${SECOND} backup rabbitmq postgres`);
  checkout.start('proxy');
  expect(checkout.run('restore.sh', 'check')).toMatchObject({ status: 1, stderr: expect.stringContaining('proxy') });
});
