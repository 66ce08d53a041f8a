import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import {
  addressVariable,
  ADMIN,
  ALL_IN_ONE,
  AUDITOR,
  brokerPrograms,
  brokerServices,
  calleesOf,
  databaseServices,
  environmentOf,
  grpcServices,
  identityOf,
  ports,
  productionServices,
  programNames,
  secretVariables,
} from '@saleschannel/installation';
import { readEnvironment } from '@saleschannel/runtime';
import { parse } from 'yaml';
import { isInstalled, projectRoot, run } from '../../installation/test/support/programs.ts';
import {
  aliasesOf,
  compose,
  composeText,
  containerVariables,
  interpolate,
  networksOf,
  containerSecrets,
  containerEnvironment,
  serviceOf,
  readSettings,
  folderWithSecrets,
} from './support/compose.ts';

const { folder, remove } = folderWithSecrets();
afterAll(remove);

const jobs = databaseServices.map((name) => `migrate-${name}`);
/** True for services of the profile "observe". */
const isWatching = (name: string): boolean => serviceOf(name).profiles?.includes('observe') ?? false;
const contains = (names: readonly string[], name: string): boolean => names.includes(name);

test.each(programNames)('%s starts with the generated secrets and settings', (name) => {
  expect(() => readEnvironment(environmentOf(name), containerEnvironment(name, folder))).not.toThrow();
});

test.each(programNames)('%s has its secrets from files, each of them its own and needed', (name) => {
  const variables = containerVariables(name);
  expect(Object.keys(variables).filter((variable) => secretVariables.has(variable))).toEqual([]);
  const files = Object.values(variables)
    .filter((text) => text.startsWith('/run/secrets/'))
    .map((text) => text.slice('/run/secrets/'.length));
  expect(containerSecrets(name).toSorted()).toEqual(files.toSorted());
  // The console acts as admin, with its key and certificate.
  for (const file of files) expect([name, identityOf(name)].some((each) => file.startsWith(`${each}-`))).toBe(true);
});

test.each(databaseServices)(
  'the migration of %s runs once, as the owner of its tables and with no other secret, and reaches the database only',
  (name) => {
    const { image, secrets } = serviceOf(name);
    expect(secrets).not.toContain(`${name}-migration-database-url`);
    expect(containerVariables(`migrate-${name}`)).toEqual({
      LOG_LEVEL: containerVariables(name)['LOG_LEVEL'],
      MIGRATION_DATABASE_URL_FILE: `/run/secrets/${name}-migration-database-url`,
    });
    expect(serviceOf(`migrate-${name}`)).toMatchObject({
      secrets: [`${name}-migration-database-url`],
      image,
      command: ['migrate'],
      restart: 'no',
      networks: ['database'],
    });
  },
);

test('each service has its own certificate', () => {
  // The console acts as admin.
  expect(containerVariables('console')).toMatchObject({ GRPC_TLS_CERT_FILE: `/run/secrets/${ADMIN}-tls.crt` });
  for (const name of [...grpcServices, 'gateway', ADMIN] as const)
    expect(containerVariables(name)).toMatchObject({
      GRPC_TLS_CERT_FILE: `/run/secrets/${name}-tls.crt`,
      GRPC_TLS_KEY_FILE: `/run/secrets/${name}-tls.key`,
      GRPC_TLS_CA_FILE: `/run/secrets/${name}-ca.crt`,
    });
});

test('only the development identity provider runs as in development', () => {
  const programs = [...programNames, ...jobs].filter((name) => 'NODE_ENV' in containerVariables(name));
  expect(programs).toEqual(['dev-idp']);
});

test('addresses, ports and health checks agree', () => {
  for (const name of grpcServices) {
    const { GRPC_HOST, GRPC_HEALTH_PORT } = containerVariables(name);
    expect(GRPC_HOST).toBe('0.0.0.0');
    expect(serviceOf(name).healthcheck?.test.at(-1)).toBe(`grpc://127.0.0.1:${GRPC_HEALTH_PORT}`);
  }
  for (const name of programNames) {
    for (const callee of calleesOf(name))
      expect(containerVariables(name)[addressVariable(callee)]).toBe(
        `${callee}:${containerVariables(callee)['GRPC_PORT']}`,
      );
  }
  expect(containerVariables('gateway')).toMatchObject({ GATEWAY_HOST: '0.0.0.0', GATEWAY_PORT: String(ports.gateway) });
  expect(serviceOf('gateway').ports).toEqual([`\${GATEWAY_PORT:-127.0.0.1:8080}:${ports.gateway}`]);
  expect(serviceOf('gateway').healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${ports.gateway}/readyz`);
  expect(containerVariables('portal')).toMatchObject({
    PORTAL_HOST: '0.0.0.0',
    PORTAL_PORT: String(ports.portal),
    PORTAL_API_URL: `http://edge-gateway:${ports.gateway}`,
  });
  expect(serviceOf('console').ports).toBeUndefined();
  expect(serviceOf('console').healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${ports.console}/readyz`);
  expect(serviceOf('portal').ports).toEqual([`\${PORTAL_PORT:-127.0.0.1:8070}:${ports.portal}`]);
  expect(serviceOf('portal').healthcheck?.test.at(-1)).toBe(`http://127.0.0.1:${ports.portal}/readyz`);
});

test('webhooks reads the names and URLs of the installation', () => {
  expect(containerVariables('webhooks')).toMatchObject({
    WEBHOOK_OWN_HOSTS: '${API_HOST:-},${PORTAL_URL:-},${CONSOLE_URL:-}',
  });
  expect(serviceOf('proxy').environment).toMatchObject({ API_HOST: '${API_HOST:-}', PORTAL_URL: '${PORTAL_URL:-}' });
});

test('services start in the order of their health checks', () => {
  for (const name of databaseServices) {
    expect(serviceOf(`migrate-${name}`).depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    expect(serviceOf(name).depends_on).toMatchObject({
      [`migrate-${name}`]: { condition: 'service_completed_successfully' },
    });
  }
  for (const name of brokerServices)
    expect(serviceOf(name).depends_on).toMatchObject({ rabbitmq: { condition: 'service_healthy' } });
  // A service of a disabled profile must not block another.
  for (const name of grpcServices.filter((each) => each !== 'sandbox'))
    expect(serviceOf('gateway').depends_on).toMatchObject({ [name]: { condition: 'service_healthy' } });
  expect(serviceOf('gateway').depends_on).not.toHaveProperty('sandbox');
  expect(serviceOf('sandbox')).toMatchObject({
    profiles: ['sandbox'],
    depends_on: { gateway: { condition: 'service_healthy' } },
  });
  expect(serviceOf('portal').depends_on).toEqual({ gateway: { condition: 'service_healthy' } });
  for (const name of [...grpcServices, 'gateway', 'portal', 'postgres', 'rabbitmq'])
    expect(serviceOf(name).healthcheck).toBeDefined();
});

const second = /-2$/;

test('production has two replicas of each service under one name', () => {
  const twofold = productionServices.map(({ name }) => name).filter((name) => name !== 'console');
  const seconds = Object.keys(compose.services).filter((name) => second.test(name));
  expect(seconds.toSorted()).toEqual(twofold.map((name) => `${name}-2`).toSorted());
  for (const name of twofold) {
    const { networks, profiles, ports: published, ...same } = serviceOf(`${name}-2`);
    expect(serviceOf(name)).toMatchObject(same);
    expect(profiles).toEqual(['production']);
    expect(published ?? []).toEqual([]);
    expect(networks).toEqual(
      Object.fromEntries(
        Object.entries(aliasesOf(serviceOf(name))).map(([network, aliases]) => [
          network,
          { aliases: [name, ...aliases] },
        ]),
      ),
    );
  }
});

test('a proxy terminates TLS in production for two gateways and two portals', () => {
  const { depends_on: behind, networks, ports: published, profiles } = serviceOf('proxy');
  const healthy = { condition: 'service_healthy' };
  expect(behind).toEqual({ gateway: healthy, 'gateway-2': healthy, portal: healthy, 'portal-2': healthy });
  expect({ networks, profiles }).toEqual({ networks: ['edge'], profiles: ['production'] });
  expect(published).toEqual(['${HTTPS_PORT:-127.0.0.1:8443}:8443', '${HTTP_PORT:-127.0.0.1:8480}:8480']);
});

test('for developers, sources of each service are synced to their paths in the image', () => {
  const { services } = parse(readFileSync(join(projectRoot, 'docker-compose.watch.yml'), 'utf8')) as {
    services: Record<string, { develop: { watch: { path: string; target?: string }[] } }>;
  };
  expect(Object.keys(services).toSorted()).toEqual(productionServices.map(({ name }) => name).toSorted());
  for (const [name, { develop }] of Object.entries(services)) {
    const paths = develop.watch.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining([`apps/${name}/src`, 'libs', 'protos', 'package-lock.json']));
    for (const path of paths) expect(existsSync(join(projectRoot, path))).toBe(true);
    for (const { path, target } of develop.watch) expect(target ?? `/app/${path}`).toBe(`/app/${path}`);
  }
});

test('only gateway, portal and proxy are published, and networks connect only communicating containers', () => {
  for (const network of ['services', 'database', 'broker', 'monitoring'])
    expect(compose.networks[network]).toEqual({ internal: true });
  for (const network of ['outbound', 'receivers', 'operators']) expect(compose.networks[network]).toEqual({});
  for (const [each, service] of Object.entries(compose.services)) {
    const name = each.replace(second, '');
    const { ports: published, profiles } = service;
    const networks = networksOf(service);
    const isEdge = name === 'gateway' || name === 'portal' || name === 'proxy';
    if (published && !isEdge && !isWatching(name))
      expect({ name, published, profiles }).toEqual({
        name: 'dev-idp',
        published: ['127.0.0.1:${IDP_PORT:-8090}:8090'],
        profiles: ['dev'],
      });
    expect(networks.includes('edge')).toBe(isEdge);
    expect(networks.includes('outbound')).toBe(['identity', 'portal', 'console', 'dev-idp'].includes(name));
    expect(networks.includes('monitoring')).toBe(isWatching(name));
    expect(networks.includes('operators')).toBe(isWatching(name) && published !== undefined);
    expect(networks.includes('receivers')).toBe(name === 'webhooks');
    const others = ['postgres', 'postgres-exporter', 'backup', 'restore', AUDITOR, ...jobs];
    expect(networks.includes('database')).toBe(others.includes(name) || contains(databaseServices, name));
    expect(networks.includes('broker')).toBe(
      ['rabbitmq', 'prometheus'].includes(name) || contains(brokerPrograms, name),
    );
  }
});

test('generated settings trust client addresses from the network of proxy and portal only', () => {
  const subnet = '172.16.86.0/24';
  expect(compose.networks['edge']).toEqual({ ipam: { config: [{ subnet: `\${EDGE_SUBNET:-${subnet}}` }] } });
  const { folder: development, remove: removeDevelopment } = folderWithSecrets('--dev');
  expect(readSettings(development)['TRUSTED_PROXIES']).toBe(subnet);
  removeDevelopment();
  // The portal shares the network "services" with the gateway too, but calls it on this one.
  const named = Object.entries(compose.services).flatMap(([name, service]) =>
    Object.entries(aliasesOf(service)).flatMap(([network, aliases]) =>
      aliases.includes('edge-gateway') ? [`${name} on ${network}`] : [],
    ),
  );
  expect(named).toEqual(['gateway on edge', 'gateway-2 on edge']);
  expect(networksOf(serviceOf('portal'))).toContain('edge');
  expect(readFileSync(join(projectRoot, 'lab/engine/engine.sh'), 'utf8')).not.toContain('uniquelocal');
});

test('every container has minimal rights, and limits', () => {
  for (const [name, each] of Object.entries(compose.services)) {
    expect({ name, ...each }).toMatchObject({
      name,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(each.mem_limit && each.cpus && each.pids_limit).toBeTruthy();
    expect(each.cpu_shares).toBe(name.startsWith('webhooks') ? 256 : undefined);
    expect(each.restart).toBe([...jobs, ADMIN, AUDITOR, 'restore'].includes(name) ? 'no' : 'unless-stopped');
  }
  expect(serviceOf('dev-idp').profiles).toEqual(['dev']);
  expect(serviceOf('console').profiles).toEqual(['console']);
  expect(serviceOf(ADMIN).profiles).toEqual(['admin']);
  expect(serviceOf(AUDITOR).profiles).toEqual(['audit']);
});

test('the auditor keeps the heads of audit trails on its own volume', () => {
  const folder = '/home/node';
  // Its command is explicit: the default of the image would serve.
  const words = ['--findings', '20', '--anchors', `${folder}/\${AUDITOR_ANCHORS:-heads.jsonl}`];
  expect(serviceOf(AUDITOR).command).toEqual(words);
  expect(serviceOf(AUDITOR).volumes).toEqual([`\${AUDITOR_VOLUME:-auditor-anchors}:${folder}`]);
  expect(compose.volumes).toHaveProperty('auditor-anchors');
  const others = Object.entries(compose.services).filter(([name]) => name !== AUDITOR);
  expect(others.filter(([, { volumes = [] }]) => /AUDITOR_VOLUME|auditor-anchors/.test(volumes.join()))).toEqual([]);
});

test('images are built here or pulled from the configured registry only', () => {
  const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
  expect(new Set(ours.map(([name]) => name.replace(/^migrate-|-2$/g, '')))).toEqual(new Set(programNames));
  for (const [name, { image, pull_policy: pull }] of ours) {
    const program = name.replace(/^migrate-|-2$/g, '');
    const version = `${program.toUpperCase().replaceAll('-', '_')}_VERSION`;
    expect({ image, pull }).toEqual({
      image: `\${IMAGE_REGISTRY:-localhost/saleschannel}/${program}:\${${version}:-local}`,
      pull: '${IMAGE_PULL_POLICY:-never}',
    });
  }
  // docker-compose 1.29 ends both at the first brace.
  expect(composeText).not.toMatch(/\$\{[^}]*\$\{/);
});

test('the file contains no password', () => {
  const sensitive = /PASSWORD|SECRET|PRIVATE|PEPPER|TOKEN|DATABASE_URL|AMQP_URL/;
  for (const { environment = {} } of Object.values(compose.services)) {
    const plain = Object.keys(environment).filter((name) => sensitive.test(name) && !/__?FILE$/.test(name));
    expect(plain).toEqual([]);
  }
  expect(composeText).not.toMatch(/:\/\/[^/\s:]{1,200}:[^/\s@]{0,200}@/);
  for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/\.secrets\//);
  expect(readFileSync(join(projectRoot, '.gitignore'), 'utf8').split('\n')).toEqual(
    expect.arrayContaining(['.secrets/', '.env']),
  );
});

test('without an issuer or keys a service names the missing ones instead of starting', () => {
  const without = Object.fromEntries(
    Object.entries(containerVariables('identity')).map(([name, text]) => [name, interpolate(text, {})]),
  );
  expect(() => readEnvironment(environmentOf('identity'), without)).toThrow(
    /SERVICE_PUBLIC_KEYS is not set[^]*OIDC_ISSUER is not set/,
  );
});

test('monitoring starts only with its profile, and its pages are on loopback', () => {
  const watching = Object.entries(compose.services).filter(([, { profiles }]) => profiles?.includes('observe'));
  expect(watching.map(([name]) => name).toSorted()).toEqual([
    'alertmanager',
    'grafana',
    'jaeger',
    'otel-collector',
    'postgres-exporter',
    'prometheus',
  ]);
  for (const [name, { profiles, ports: published = [], image }] of watching) {
    expect({ name, profiles }).toEqual({ name, profiles: ['observe'] });
    for (const port of published) expect(port).toMatch(/^\$\{[A-Z]+_PORT:-127\.0\.0\.1:(\d+)\}:\1$/);
    // Its version is pinned and configurable.
    expect(image).toMatch(/^\$\{[A-Z_]+_IMAGE:-[\w./-]+:v?\d+\.\d+\.\d+\}$/);
  }
  expect(containerVariables('postgres-exporter')['DATA_SOURCE_PASS_FILE']).toBe(
    '/run/secrets/postgres-monitor-password',
  );
  expect(containerVariables('grafana')['GF_SECURITY_ADMIN_PASSWORD__FILE']).toBe('/run/secrets/grafana-admin-password');
});

test('Prometheus reads the metrics of every permanent service', () => {
  const prometheus = readFileSync(join(projectRoot, 'deploy/observe/prometheus.yaml'), 'utf8');
  const [, names = ''] = /- names:\s{1,20}\[([^\]]+)\]/.exec(prometheus) ?? [];
  const always = productionServices.map(({ name }) => name).filter((name) => !serviceOf(name).profiles);
  expect(names.split(', ').toSorted()).toEqual([...always, ALL_IN_ONE].toSorted());
  expect(prometheus).toContain(`port: ${ports.metrics}`);
});

const binary = ['docker-compose', 'docker compose'].find(
  (each) => isInstalled(each.split(' ')[0] ?? each) && run('sh', ['-c', `${each} version`]).status === 0,
);
// Without either program, only the checks above run.
if (binary !== undefined)
  test('docker-compose accepts the file', () => {
    for (const profiles of ['', '--profile dev --profile admin --profile observe --profile production']) {
      const { status, stderr } = run('sh', ['-c', `${binary} --file docker-compose.yml ${profiles} config --quiet`]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    }
  });
