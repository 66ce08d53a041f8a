// Renders docker-compose.yml and docker-compose.all-in-one.yml: the services of deploy/installation, inserted into
// template.yml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADMIN,
  ALL_IN_ONE,
  apiCallers,
  AUDITOR,
  calleesOf,
  databaseServices,
  EDGE_SUBNET,
  hostedServices,
  httpPorts,
  isPublished,
  ports,
  productionServices,
  readsVariable,
  sandboxServices,
  programsWithSecrets,
  services,
  type ServiceName,
} from '@saleschannel/installation';
import { comment, GENERATED } from '../manifest-text.ts';
import { allInOneBlocks } from './all-in-one.ts';
import {
  httpHealth,
  imageLines,
  toImage,
  listMigrationSecretNames,
  networkLines,
  listNetworks,
  publishedPort,
  PULL_POLICY,
  listSecretNames,
} from './container.ts';
import {
  EDGE_GATEWAY,
  environmentLines,
  groupBlocks,
  interpolation,
  migrationLines,
  type Layout,
} from './environment.ts';
import { hasTwoReplicas, secondReplica } from './plan.ts';

/** Contents of the file of a layout. */
export function composeFile(layout: Layout): string {
  const isHosted = (name: ServiceName): boolean => layout === ALL_IN_ONE && hostedServices.includes(name);
  const edges: readonly (ServiceName | typeof ALL_IN_ONE)[] =
    layout === ALL_IN_ONE ? [ALL_IN_ONE] : hostedServices.filter(isPublished);
  const parts: Record<string, string> = {
    head: [`# ${GENERATED}`, ...(layout === ALL_IN_ONE ? allInOneHead : [])].join('\n'),
    groups: groupBlocks().join('\n\n'),
    programs: [
      ...(layout === ALL_IN_ONE ? allInOneBlocks() : []),
      ...[...productionServices, ...sandboxServices]
        .filter(({ name }) => !isHosted(name))
        .flatMap((service) => serviceBlocks(service, layout)),
      adminBlock(layout),
      auditorBlock(),
      ...services.filter(({ isForDevelopment }) => isForDevelopment).map(developmentBlock),
    ].join('\n\n'),
    'behind-proxy': edges
      .flatMap((name) => [name, secondReplica(name)])
      .map((name) => `      ${name}: { condition: service_healthy }`)
      .join('\n'),
    edge: `  edge: { ipam: { config: [{ subnet: '${interpolation('EDGE_SUBNET', EDGE_SUBNET)}' }] } }`,
    secrets: secretFiles().join('\n'),
  };
  const template = readFileSync(join(import.meta.dirname, 'template.yml'), 'utf8');
  return template.replaceAll(/^ *# \{\{([\w-]+)\}\}$/gm, (_, part: string) => {
    const text = parts[part];
    if (text === undefined) throw new Error(`template.yml has the unknown part ${part}.`);
    return text;
  });
}

const allInOneHead = [
  '# For small installations, instead of docker-compose.yml: all permanent services share one process. Data, secrets',
  '# and settings are the same. Select it with "COMPOSE_FILE=docker-compose.all-in-one.yml" in .env. See',
  '# docs/operate/all-in-one.md.',
];

/** A service and the job that migrates its database. */
function serviceBlocks(
  { name, description, yieldsCpu }: (typeof productionServices)[number],
  layout: Layout,
): string[] {
  const hasDatabase = databaseServices.includes(name);
  const httpPort = httpPorts.get(name);
  const service = [
    comment(description, '  '),
    `  ${name}:${hasTwoReplicas(name) ? ` &${name}` : ''}`,
    '    <<: *service',
    ...imageLines(name, hasDatabase ? `&${name}-build` : ''),
    '    environment:',
    ...environmentLines(name, layout),
    `    secrets: [${listSecretNames(name).join(', ')}]`,
    ...(isPublished(name) ? [`    ports: [${publishedPort(name)}]`] : []),
    ...networkLines(listNetworks(name), (network) => aliasesOf(name, network)),
    // It has the rights of the admin command, and runs only while it is needed.
    ...(name === 'console' ? ['    profiles: [console]'] : []),
    ...(isForSandbox(name) ? ['    profiles: [sandbox]'] : []),
    ...(name === 'gateway' ? ['    mem_limit: 768m'] : []),
    // A container's default is 1024.
    ...(yieldsCpu ? ['    cpu_shares: 256'] : []),
    '    depends_on:',
    ...conditionsOf(name, layout).map(([other, condition]) => `      ${other}: { condition: ${condition} }`),
    ...(httpPort ? httpHealth(httpPort, '/readyz') : ['    healthcheck: *grpc-health']),
  ];
  const migration = [
    `  migrate-${name}:`,
    '    <<: *job',
    `    image: ${toImage(name)}`,
    PULL_POLICY,
    `    build: *${name}-build`,
    '    command: [migrate]',
    '    environment:',
    ...migrationLines(name),
    `    secrets: [${listMigrationSecretNames(name).join(', ')}]`,
    '    networks: [database]',
    '    depends_on: *after-servers',
  ];
  return [service, ...(hasTwoReplicas(name) ? [secondLines(name)] : []), ...(hasDatabase ? [migration] : [])].map(
    (lines) => lines.join('\n'),
  );
}

/** Second replica, under the name of the first. */
const secondLines = (name: ServiceName): string[] => [
  `  ${secondReplica(name)}:`,
  `    <<: *${name}`,
  '    profiles: [production]',
  ...(isPublished(name) ? ['    ports: []'] : []),
  ...networkLines(listNetworks(name), (network) => [name, ...aliasesOf(name, network)]),
];

/** Additional names: gateway and portal share two networks, and trust the addresses of one. */
const aliasesOf = (name: ServiceName, network: string): string[] =>
  name === 'gateway' && network === 'edge' ? [EDGE_GATEWAY] : [];

const adminBlock = (layout: Layout): string =>
  [
    '  # docker compose run --rm admin --help',
    `  ${ADMIN}:`,
    '    <<: *job',
    ...imageLines(ADMIN),
    '    profiles: [admin]',
    "    command: ['--help']",
    '    environment:',
    ...environmentLines(ADMIN, layout),
    `    secrets: [${listSecretNames(ADMIN).join(', ')}]`,
    `    networks: [${listNetworks(ADMIN).join(', ')}]`,
  ].join('\n');

const auditorBlock = (): string =>
  [
    '  # docker compose run --rm auditor',
    `  ${AUDITOR}:`,
    '    <<: *job',
    ...imageLines(AUDITOR),
    '    profiles: [audit]',
    '    # Explicit, because the default command of the image would serve.',
    `    command: [--findings, '20', --anchors, '/home/node/${interpolation('AUDITOR_ANCHORS', 'heads.jsonl')}']`,
    '    environment:',
    ...environmentLines(AUDITOR, 'separate'),
    `    secrets: [${listSecretNames(AUDITOR).join(', ')}]`,
    '    volumes:',
    '      # Heads of the audit trails, where no service can write. A new volume inherits the owner of the folder: the',
    '      # user of the image.',
    `      - ${interpolation('AUDITOR_VOLUME', 'auditor-anchors')}:/home/node`,
    '    networks: [database, broker]',
    '    depends_on:',
    '      <<: *after-servers',
    '      rabbitmq: { condition: service_healthy }',
  ].join('\n');

const developmentBlock = ({ name, description }: (typeof services)[number]): string =>
  [
    comment(`${description} It never starts without its profile.`, '  '),
    `  ${name}:`,
    '    <<: *service',
    ...imageLines(name),
    '    profiles: [dev]',
    '    environment:',
    ...environmentLines(name, 'separate'),
    '      # The image sets NODE_ENV=production, with which this program refuses to start.',
    '      NODE_ENV: development',
    '    secrets: [dev-idp-clients]',
    `    ports: ['127.0.0.1:${interpolation('IDP_PORT', ports.idp)}:${ports.idp}']`,
    `    networks: [${listNetworks(name).join(', ')}]`,
    ...httpHealth(ports.idp, '/.well-known/openid-configuration'),
  ].join('\n');

const secretFiles = (): string[] => [
  '  postgres-password: { file: ./.secrets/postgres-password }',
  '  postgres-roles: { file: ./.secrets/postgres-roles }',
  '  postgres-monitor-password: { file: ./.secrets/postgres-monitor-password }',
  '  grafana-admin-password: { file: ./.secrets/grafana-admin-password }',
  '  rabbitmq-definitions: { file: ./.secrets/rabbitmq-definitions.json }',
  '  dev-idp-clients: { file: ./.secrets/dev-idp-clients.json }',
  ...[
    ...new Set([
      ...programsWithSecrets.flatMap(listSecretNames),
      ...databaseServices.flatMap(listMigrationSecretNames),
    ]),
  ].map((name) => `  ${name}: { file: ./.secrets/${name} }`),
];

const isForSandbox = (service: ServiceName): boolean => sandboxServices.some(({ name }) => name === service);

/** Dependencies of a service, with their required states. */
function conditionsOf(service: ServiceName, layout: Layout): [string, string][] {
  const conditions: [string, string][] = [];
  if (readsVariable(service, 'DATABASE_URL')) conditions.push([`migrate-${service}`, 'service_completed_successfully']);
  if (readsVariable(service, 'AMQP_URL')) conditions.push(['rabbitmq', 'service_healthy']);
  // Other services start together and wait for each other.
  if (service === 'gateway')
    conditions.push(
      ...calleesOf(service)
        .filter((callee) => !isForSandbox(callee))
        .map((callee): [string, string] => [callee, 'service_healthy']),
    );
  if (apiCallers.includes(service))
    conditions.push([layout === ALL_IN_ONE ? ALL_IN_ONE : 'gateway', 'service_healthy']);
  return conditions;
}
