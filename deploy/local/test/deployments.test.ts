import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { permissionsOf, queues } from '@saleschannel/messaging';
import { readEnvironment } from '@saleschannel/runtime';
import { projectRoot } from '../src/paths.ts';
import {
  addressVariable,
  brokerServices,
  databaseServices,
  grpcServices,
  keyHolders,
  services,
} from '../src/services.ts';
import { interpolate, readCompose } from './manifests.ts';
import {
  GRPC_PORT,
  METRICS_PORT,
  NAMESPACE,
  ADMIN,
  ISSUER,
  jobs,
  secretNames,
  adminEnvironment,
  environmentOf,
  required,
  calledBy,
  run,
  isInstalled,
} from './deployment-facts.ts';

test('the admin command reads what these tests believe it to read', () => {
  const main = join(projectRoot, 'apps/admin/src/main.ts');
  const missing = [['list-sales-channels'], ['dead-letters', 'list', 'events.log']].flatMap((words) =>
    [...run(process.execPath, [main, ...words]).stderr.matchAll(/(\w+) is not set/g)].map(([, name]) => name),
  );
  expect(missing.toSorted()).toEqual(required(adminEnvironment).toSorted());
});

let work = '';
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'saleschannel-deployments-'));
  const made = run(process.execPath, [join(projectRoot, 'deploy/compose/generate-secrets.ts'), '--folder', work]);
  if (made.status !== 0) throw new Error(made.stderr);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const secretFile = (name: string): string => join(work, '.secrets', name);
const settings = (): Record<string, string> =>
  ({ ...parseEnv(readFileSync(join(work, '.env'), 'utf8')), OIDC_ISSUER: ISSUER }) as Record<string, string>;

describe('Compose', () => {
  const compose = readCompose();
  const service = (name: string) => {
    const found = compose.services[name];
    if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
    return found;
  };
  const secretsOf = (name: string): string[] =>
    (service(name).secrets ?? []).map((secret) => (typeof secret === 'string' ? secret : secret.source));
  /** Where the test has what a container finds below /run/secrets. */
  const onThisMachine = (text: string): string =>
    text.replace(/^\/run\/secrets\/(.+)$/, (_, secret: string) =>
      secretFile(basename(compose.secrets[secret]?.file ?? 'of no secret')),
    );
  /** What the process would see. */
  const seenBy = (name: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(service(name).environment ?? {}).map(([variable, text]) => [
        variable,
        onThisMachine(interpolate(text, settings())),
      ]),
    );
  const ours = [...services.map(({ name }) => name), ADMIN];

  test('has every service, a migration for every database, and nothing else of ours', () => {
    expect(Object.keys(compose.services).toSorted()).toEqual(
      [...ours, ...jobs, 'postgres', 'rabbitmq', 'otel-collector'].toSorted(),
    );
  });

  test.each(ours)('%s is given what it reads, all that it needs, and nothing else', (name) => {
    const environment = environmentOf(name);
    const { NODE_ENV, ...variables } = service(name).environment ?? {};
    expect(NODE_ENV).toBe(name === 'dev-idp' ? 'development' : undefined);
    const plain = Object.keys(variables).map((variable) =>
      variable.endsWith('_FILE') && secretNames.has(variable.slice(0, -5)) ? variable.slice(0, -5) : variable,
    );
    expect(plain.filter((variable) => !(variable in environment))).toEqual([]);
    expect(required(environment).filter((variable) => !plain.includes(variable))).toEqual([]);
    expect(() => readEnvironment(environment, seenBy(name))).not.toThrow();
  });

  test.each(ours)('%s has its secrets from files, each of them its own and needed', (name) => {
    const variables = service(name).environment ?? {};
    expect(Object.keys(variables).filter((variable) => secretNames.has(variable))).toEqual([]);
    const files = Object.entries(variables)
      .filter(([, text]) => text.startsWith('/run/secrets/'))
      .map(([, text]) => text.slice('/run/secrets/'.length));
    expect(secretsOf(name).toSorted()).toEqual(files.toSorted());
    for (const file of files) expect(file.startsWith(`${name}-`)).toBe(true);
  });

  test.each(jobs)('%s runs the image of its service with the environment of its service, once', (job) => {
    const name = job.slice('migrate-'.length);
    const { environment, secrets, image, build } = service(name);
    expect(service(job)).toMatchObject({
      environment,
      secrets,
      image,
      build,
      command: ['migrate'],
      restart: 'no',
      networks: ['database'],
    });
  });

  test.each(ours)('%s is built from the one Dockerfile', (name) => {
    expect(service(name)).toMatchObject({ build: { dockerfile: 'deploy/docker/Dockerfile', args: { APP: name } } });
    expect(service(name).image).toMatch(new RegExp(`^saleschannel/${name}:`));
  });

  test('addresses, ports and health checks agree', () => {
    for (const name of grpcServices) {
      expect(service(name).environment).toMatchObject({ GRPC_HOST: '0.0.0.0', GRPC_PORT });
      expect(service(name).healthcheck?.test.at(-1)).toBe(`grpc://127.0.0.1:${GRPC_PORT}`);
      expect(service(name).ports).toBeUndefined();
    }
    for (const name of ours) {
      for (const other of calledBy(name))
        expect(service(name).environment?.[addressVariable(other)]).toBe(`${other}:${GRPC_PORT}`);
      if (name !== ADMIN) expect(service(name).environment).toMatchObject({ METRICS_HOST: '0.0.0.0', METRICS_PORT });
    }
    const gateway = service('gateway');
    expect(gateway.environment).toMatchObject({ GATEWAY_HOST: '0.0.0.0', GATEWAY_PORT: '8080' });
    expect(gateway.ports).toEqual(['${GATEWAY_PORT:-8080}:8080']);
    expect(gateway.healthcheck?.test.at(-1)).toBe('http://127.0.0.1:8080/readyz');
  });

  test('starts in an order that is gated by health', () => {
    for (const name of databaseServices) {
      expect(service(`migrate-${name}`).depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
      expect(service(name).depends_on).toMatchObject({
        [`migrate-${name}`]: { condition: 'service_completed_successfully' },
      });
    }
    for (const name of brokerServices)
      expect(service(name).depends_on).toMatchObject({ rabbitmq: { condition: 'service_healthy' } });
    for (const name of grpcServices)
      expect(service('gateway').depends_on).toMatchObject({ [name]: { condition: 'service_healthy' } });
    for (const name of [...grpcServices, 'gateway', 'postgres', 'rabbitmq'])
      expect(service(name).healthcheck).toBeDefined();
  });

  test('lets nothing be reached but the gateway, and no container reach what it does not talk to', () => {
    const isMember = (name: string, network: string): boolean => service(name).networks.includes(network);
    for (const network of ['services', 'database', 'broker'])
      expect(compose.networks[network]).toEqual({ internal: true });
    for (const [name, { ports, profiles }] of Object.entries(compose.services)) {
      if (ports && name !== 'gateway')
        expect({ name, ports, profiles }).toEqual({
          name: 'dev-idp',
          ports: ['127.0.0.1:8090:8090'],
          profiles: ['dev'],
        });
      expect(isMember(name, 'edge')).toBe(name === 'gateway');
      expect(isMember(name, 'outbound')).toBe(['identity', 'dev-idp', 'otel-collector'].includes(name));
      expect(isMember(name, 'database')).toBe(
        name === 'postgres' || databaseServices.includes(name as never) || jobs.includes(name),
      );
      expect(isMember(name, 'broker')).toBe(
        name === 'rabbitmq' || name === ADMIN || brokerServices.includes(name as never),
      );
    }
  });

  test('holds every container to the same', () => {
    for (const [name, each] of Object.entries(compose.services)) {
      expect({ name, ...each }).toMatchObject({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(each.mem_limit && each.cpus && each.pids_limit).toBeTruthy();
      expect(each.restart).toBe(jobs.includes(name) || name === ADMIN ? 'no' : 'unless-stopped');
    }
    expect(service('dev-idp').profiles).toEqual(['dev']);
    expect(service(ADMIN).profiles).toEqual(['admin']);
  });

  test('has no password in it', () => {
    const text = readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8');
    for (const { environment } of Object.values(compose.services)) {
      expect(
        Object.keys(environment ?? {}).filter(
          (variable) =>
            /PASSWORD|SECRET|PRIVATE|PEPPER|TOKEN|DATABASE_URL|AMQP_URL/.test(variable) && !variable.endsWith('_FILE'),
        ),
      ).toEqual([]);
    }
    expect(text).not.toMatch(/:\/\/[^/\s]+:[^/\s]*@/);
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/\.secrets\//);
    expect(readFileSync(join(projectRoot, '.gitignore'), 'utf8').split('\n')).toEqual(
      expect.arrayContaining(['.secrets/', '.env']),
    );
  });

  test('says what is missing instead of starting without an issuer or keys', () => {
    const without = Object.fromEntries(
      Object.entries(service('identity').environment ?? {}).map(([name, text]) => [name, interpolate(text, {})]),
    );
    expect(() => readEnvironment(environmentOf('identity'), without)).toThrow(
      /SERVICE_PUBLIC_KEYS is not set[^]*OIDC_ISSUER is not set/,
    );
  });

  const binary = ['docker-compose', 'docker compose'].find(
    (each) => isInstalled(each.split(' ')[0] ?? '') && run('sh', ['-c', `${each} version`]).status === 0,
  );
  // Without the program the file is still checked above; with it, it must be clean too.
  (binary ? test : test.skip)('is clean for docker-compose (skipped where it is not installed)', () => {
    for (const profiles of ['', '--profile dev --profile admin --profile telemetry']) {
      const { status, stderr } = run('sh', ['-c', `${binary} --file docker-compose.yml ${profiles} config --quiet`]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });
});

describe('the generated secrets', () => {
  const read = (name: string): string => readFileSync(secretFile(name), 'utf8');

  test("are all that Compose asks for, in a folder that is its owner's alone", () => {
    const asked = Object.values(readCompose().secrets).map(({ file }) => basename(file));
    expect(readdirSync(join(work, '.secrets')).toSorted()).toEqual([...asked, 'installation.json'].toSorted());
    expect(statSync(join(work, '.secrets')).mode & 0o777).toBe(0o700);
    expect(statSync(secretFile('installation.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(work, '.env')).mode & 0o777).toBe(0o600);
    for (const file of asked) expect(statSync(secretFile(file)).mode & 0o777).toBe(0o644);
  });

  test('hold a key pair per holder, and the public halves alone in the settings', () => {
    const publicKeys = JSON.parse(settings()['SERVICE_PUBLIC_KEYS'] ?? '') as {
      keys: { kid: string; x: string; d?: string }[];
    };
    expect(publicKeys.keys.map(({ kid }) => kid).toSorted()).toEqual(keyHolders.toSorted());
    for (const { kid, x, d } of publicKeys.keys) {
      expect(d).toBeUndefined();
      expect(JSON.parse(read(`${kid}-service-key`))).toMatchObject({ kid, x, d: expect.any(String) as unknown });
    }
  });

  test('give each service a database and a broker user of its own', () => {
    const roles = new Map(
      read('postgres-roles')
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    expect(roles.size).toBe(databaseServices.length);
    for (const name of databaseServices) {
      const url = new URL(read(`${name}-database-url`));
      expect(url.pathname).toBe(`/${url.username}`);
      expect(roles.get(url.username)).toBe(url.password);
    }
    expect(new Set(roles.values()).size).toBe(databaseServices.length);
  });

  test('let each broker user touch its own queues and the exchanges alone', () => {
    const { users, permissions, vhosts } = JSON.parse(read('rabbitmq-definitions.json')) as {
      users: { name: string; tags: string }[];
      permissions: { user: string; vhost: string; configure: string; write: string; read: string }[];
      vhosts: { name: string }[];
    };
    expect(users.map(({ name }) => name).toSorted()).toEqual([...brokerServices, ADMIN].toSorted());
    expect(users.every(({ tags }) => tags === '')).toBe(true);
    expect(vhosts).toEqual([{ name: 'saleschannel' }]);
    for (const name of brokerServices) {
      const { configure, write, read: reads } = permissions.find(({ user }) => user === name) ?? {};
      expect({ configure, write, read: reads }).toEqual(permissionsOf(name, NAMESPACE));
      for (const queue of Object.keys(queues)) {
        expect(new RegExp(reads ?? '').test(`${NAMESPACE}.${queue}`)).toBe(queue.startsWith(`${name}.`));
      }
      expect(new URL(read(`${name}-amqp-url`))).toMatchObject({
        username: name,
        host: 'rabbitmq:5672',
        pathname: '/saleschannel',
      });
    }
    expect(read('rabbitmq-definitions.json')).not.toContain(new URL(read('tasks-amqp-url')).password);
  });

  const generate = (...args: string[]) =>
    run(process.execPath, [join(projectRoot, 'deploy/compose/generate-secrets.ts'), '--folder', work, ...args]);
  const contents = (): Record<string, string> =>
    Object.fromEntries(readdirSync(join(work, '.secrets')).map((name) => [name, read(name)]));

  test('stay when they are made again, and settings with them; a rotation changes its part alone', () => {
    const before = contents();
    writeFileSync(join(work, '.env'), `${readFileSync(join(work, '.env'), 'utf8')}RATE_LIMIT_BURST=7\n`);
    chmodSync(join(work, '.env'), 0o600);
    expect(generate().status).toBe(0);
    expect(contents()).toEqual(before);
    expect(settings()).toMatchObject({
      RATE_LIMIT_BURST: '7',
      SERVICE_PUBLIC_KEYS: expect.stringContaining('gateway') as unknown,
    });

    expect(generate('--rotate', 'broker').status).toBe(0);
    const after = contents();
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(changed.toSorted()).toEqual(
      [...brokerServices, ADMIN]
        .map((name) => `${name}-amqp-url`)
        .concat('installation.json', 'rabbitmq-definitions.json')
        .toSorted(),
    );

    expect(generate('--rotate', 'everything')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('service-keys, database, broker, pepper') as unknown,
    });
    expect(generate('--dev').status).toBe(1);
  });

  test('for development name the provider as both sides reach it', () => {
    const folder = join(work, 'development');
    expect(
      run(process.execPath, [join(projectRoot, 'deploy/compose/generate-secrets.ts'), '--dev', '--folder', folder])
        .status,
    ).toBe(0);
    expect(parseEnv(readFileSync(join(folder, '.env'), 'utf8'))).toMatchObject({
      OIDC_ISSUER: 'http://localhost:8090',
      OIDC_JWKS_URL: 'http://dev-idp:8090/jwks',
      COMPOSE_PROFILES: 'dev',
    });
  });
});

test('the local stack gives each service all that it reads, too', () => {
  // The stack hands out what a service declares and nothing else (ownVariables); here: that what it makes is what they need.
  const source = readFileSync(join(projectRoot, 'deploy/local/src/stack.ts'), 'utf8');
  for (const { name, environment } of services) {
    const needed = required(environment).filter(
      (variable) => !variable.endsWith('_ADDRESS') && !source.includes(`${variable}:`),
    );
    expect({ name, needed }).toEqual({ name, needed: [] });
    for (const variable of required(environment).filter((each) => each.endsWith('_ADDRESS')))
      expect(grpcServices.map(addressVariable)).toContain(variable);
  }
});
