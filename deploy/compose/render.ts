// docker-compose.yml: the services of deploy/installation in the frame of template.yml.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ADMIN,
  AUDITOR,
  calleesOf,
  apiCallers,
  databaseServices,
  httpPorts,
  isPublished,
  knownAs,
  migrationSecretsOf,
  ports,
  productionServices,
  reads,
  sandboxServices,
  secretHolders,
  secretVariablesOf,
  services,
  tlsFiles,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';
import { comment, GENERATED } from '../manifest-text.ts';
import { EDGE_GATEWAY, environmentLines, groupBlocks, inserted, migrationLines } from './environment.ts';
import { EDGE_SUBNET } from './edge-subnet.ts';
import { isTwofold, secondOf } from './twofold.ts';
import { LOCAL_REGISTRY, versionVariable } from './versions.ts';

/** The whole text of docker-compose.yml. */
export function composeFile(): string {
  const parts: Record<string, string> = {
    head: `# ${GENERATED}`,
    groups: groupBlocks().join('\n\n'),
    programs: [
      ...productionServices.flatMap(serviceBlocks),
      ...sandboxServices.flatMap(serviceBlocks),
      adminBlock(),
      auditorBlock(),
      ...services.filter(({ isForDevelopment }) => isForDevelopment).map(developmentBlock),
    ].join('\n\n'),
    'behind-proxy': [...productionServices]
      .filter(({ name }) => isPublished(name))
      .flatMap(({ name }) => [name, secondOf(name)])
      .map((name) => `      ${name}: { condition: service_healthy }`)
      .join('\n'),
    edge: `  edge: { ipam: { config: [{ subnet: '${inserted('EDGE_SUBNET', EDGE_SUBNET)}' }] } }`,
    secrets: secretFiles().join('\n'),
  };
  const template = readFileSync(join(import.meta.dirname, 'template.yml'), 'utf8');
  return template.replaceAll(/^ *# \{\{([\w-]+)\}\}$/gm, (_, part: string) => {
    const text = parts[part];
    if (text === undefined) throw new Error(`template.yml has an unknown part ${part}`);
    return text;
  });
}

/** A service, and after it the job that migrates its database. */
function serviceBlocks({ name, description, yieldsCpu }: (typeof productionServices)[number]): string[] {
  const hasDatabase = databaseServices.includes(name);
  const httpPort = httpPorts.get(name);
  const service = [
    comment(description, '  '),
    `  ${name}:${isTwofold(name) ? ` &${name}` : ''}`,
    '    <<: *service',
    ...imageLines(name, hasDatabase ? `&${name}-build` : ''),
    '    environment:',
    ...environmentLines(name),
    `    secrets: [${secretNamesOf(name).join(', ')}]`,
    ...(httpPort && isPublished(name)
      ? [`    ports: ['${inserted(`${name.toUpperCase()}_PORT`, `127.0.0.1:${httpPort}`)}:${httpPort}']`]
      : []),
    ...networkLines(name),
    // It has the rights of the admin command, and runs only while somebody uses it.
    ...(name === 'console' ? ['    profiles: [console]'] : []),
    ...(isForSandbox(name) ? ['    profiles: [sandbox]'] : []),
    ...(name === 'gateway' ? ['    mem_limit: 768m'] : []),
    // A container has 1024 of them by default.
    ...(yieldsCpu ? ['    cpu_shares: 256'] : []),
    '    depends_on:',
    ...conditionsOf(name).map(([other, condition]) => `      ${other}: { condition: ${condition} }`),
    ...(httpPort ? httpHealth(httpPort, '/readyz') : ['    healthcheck: *grpc-health']),
  ];
  const migration = [
    `  migrate-${name}:`,
    '    <<: *job',
    `    image: ${imageOf(name)}`,
    PULL_POLICY,
    `    build: *${name}-build`,
    '    command: [migrate]',
    '    environment:',
    ...migrationLines(name),
    `    secrets: [${migrationSecretNamesOf(name).join(', ')}]`,
    '    networks: [database]',
    '    depends_on: *after-servers',
  ];
  return [service, ...(isTwofold(name) ? [secondLines(name)] : []), ...(hasDatabase ? [migration] : [])].map((lines) =>
    lines.join('\n'),
  );
}

/** The same again: others find both by the name of the first. */
const secondLines = (name: ServiceName): string[] => [
  `  ${secondOf(name)}:`,
  `    <<: *${name}`,
  '    profiles: [production]',
  ...(isPublished(name) ? ['    ports: []'] : []),
  '    networks:',
  ...networksOf(name).map((network) => networkLine(network, [name, ...aliasesOf(name, network)])),
];

/** The gateway and the portal are together on two networks, and trust the addresses of one of them. */
const aliasesOf = (name: ServiceName, network: string): string[] =>
  name === 'gateway' && network === 'edge' ? [EDGE_GATEWAY] : [];

const networkLine = (network: string, aliases: readonly string[]): string =>
  `      ${network}: {${aliases.length > 0 ? ` aliases: [${aliases.join(', ')}] ` : ''}}`;

function networkLines(name: ServiceName): string[] {
  const networks = networksOf(name);
  return networks.every((network) => aliasesOf(name, network).length === 0)
    ? [`    networks: [${networks.join(', ')}]`]
    : ['    networks:', ...networks.map((network) => networkLine(network, aliasesOf(name, network)))];
}

const adminBlock = (): string =>
  [
    '  # docker compose run --rm admin --help',
    `  ${ADMIN}:`,
    '    <<: *job',
    ...imageLines(ADMIN),
    '    profiles: [admin]',
    "    command: ['--help']",
    '    environment:',
    ...environmentLines(ADMIN),
    `    secrets: [${secretNamesOf(ADMIN).join(', ')}]`,
    `    networks: [${networksOf(ADMIN).join(', ')}]`,
  ].join('\n');

const auditorBlock = (): string =>
  [
    '  # docker compose run --rm auditor',
    `  ${AUDITOR}:`,
    '    <<: *job',
    ...imageLines(AUDITOR),
    '    profiles: [audit]',
    '    # Without words of its own it would get those of the image, which serve.',
    `    command: [--findings, '20', --anchors, '/home/node/${inserted('AUDITOR_ANCHORS', 'heads.jsonl')}']`,
    '    environment:',
    ...environmentLines(AUDITOR),
    `    secrets: [${secretNamesOf(AUDITOR).join(', ')}]`,
    '    volumes:',
    '      # Heads of the audit trails, where no service can write. The folder belongs to the user of the image, and a',
    '      # new volume takes that over.',
    `      - ${inserted('AUDITOR_VOLUME', 'auditor-anchors')}:/home/node`,
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
    ...environmentLines(name),
    '      # The image is made for production, where it refuses to start.',
    '      NODE_ENV: development',
    '    secrets: [dev-idp-clients]',
    `    ports: ['127.0.0.1:${inserted('IDP_PORT', ports.idp)}:${ports.idp}']`,
    `    networks: [${networksOf(name).join(', ')}]`,
    ...httpHealth(ports.idp, '/.well-known/openid-configuration'),
  ].join('\n');

/** docker-compose 1.29 inserts no setting into the default of another one, so there is no version for all. */
const imageOf = (program: ProgramName): string =>
  `${inserted('IMAGE_REGISTRY', LOCAL_REGISTRY)}/${program}:${inserted(versionVariable(program), 'local')}`;

/** What is built here is never asked for elsewhere. */
const PULL_POLICY = `    pull_policy: ${inserted('IMAGE_PULL_POLICY', 'never')}`;

const imageLines = (program: ProgramName, anchor = ''): string[] => [
  `    image: ${imageOf(program)}`,
  PULL_POLICY,
  `    build: ${anchor}`.trimEnd(),
  '      context: .',
  '      dockerfile: deploy/docker/Dockerfile',
  `      args: { APP: ${program} }`,
];

const migrationSecretNamesOf = (service: ServiceName): string[] => migrationSecretsOf(service).map(({ file }) => file);

const secretNamesOf = (program: ProgramName): string[] => [
  ...secretVariablesOf(program).map(({ file }) => file),
  ...(reads(program, 'GRPC_TLS_CERT_FILE') ? tlsFiles.map((file) => `${knownAs(program)}-${file}`) : []),
];

const secretFiles = (): string[] => [
  '  postgres-password: { file: ./.secrets/postgres-password }',
  '  postgres-roles: { file: ./.secrets/postgres-roles }',
  '  postgres-monitor-password: { file: ./.secrets/postgres-monitor-password }',
  '  grafana-admin-password: { file: ./.secrets/grafana-admin-password }',
  '  rabbitmq-definitions: { file: ./.secrets/rabbitmq-definitions.json }',
  '  dev-idp-clients: { file: ./.secrets/dev-idp-clients.json }',
  ...[...new Set([...secretHolders.flatMap(secretNamesOf), ...databaseServices.flatMap(migrationSecretNamesOf)])].map(
    (name) => `  ${name}: { file: ./.secrets/${name} }`,
  ),
];

/** A container joins a network only where it has somebody to talk to. */
function networksOf(program: ProgramName): string[] {
  const isIn: Record<string, boolean> = {
    edge: isPublished(program),
    services: true,
    database: reads(program, 'DATABASE_URL'),
    broker: reads(program, 'AMQP_URL'),
    // To the issuer of access tokens. The provider of development is here because a container whose networks are all
    // internal cannot publish a port.
    outbound: reads(program, 'OIDC_ISSUER') || program === 'dev-idp',
    receivers: reads(program, 'WEBHOOK_SECRET_KEYS'),
  };
  return Object.keys(isIn).filter((network) => isIn[network]);
}

const isForSandbox = (service: ServiceName): boolean => sandboxServices.some(({ name }) => name === service);

/** What has to be there before a service starts, and in which state. */
function conditionsOf(service: ServiceName): [string, string][] {
  const conditions: [string, string][] = [];
  if (reads(service, 'DATABASE_URL')) conditions.push([`migrate-${service}`, 'service_completed_successfully']);
  if (reads(service, 'AMQP_URL')) conditions.push(['rabbitmq', 'service_healthy']);
  // The others start together: they wait for each other by themselves.
  if (service === 'gateway')
    conditions.push(
      ...calleesOf(service)
        .filter((callee) => !isForSandbox(callee))
        .map((callee): [string, string] => [callee, 'service_healthy']),
    );
  if (apiCallers.includes(service)) conditions.push(['gateway', 'service_healthy']);
  return conditions;
}

const httpHealth = (port: number, path: string): string[] => [
  '    healthcheck:',
  `      test: [CMD, node, deploy/docker/health.ts, 'http://127.0.0.1:${port}${path}']`,
  '      interval: 15s',
  '      timeout: 10s',
  '      retries: 4',
  '      start_period: 60s',
];
