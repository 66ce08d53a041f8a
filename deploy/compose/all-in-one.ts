// Containers of docker-compose.all-in-one.yml: the process that hosts all permanent services, and its migrations.
import {
  ALL_IN_ONE,
  databaseServices,
  hostedServices,
  isPublished,
  type ServiceName,
} from '@saleschannel/installation';
import {
  imageLines,
  toImage,
  listMigrationSecretNames,
  networkLines,
  listNetworks,
  publishedPort,
  PULL_POLICY,
  listSecretNames,
} from './container.ts';
import { EDGE_GATEWAY, hostedLines, hostedMigrationLines, interpolation } from './environment.ts';
import { secondReplica } from './plan.ts';

const MIGRATION = `migrate-${ALL_IN_ONE}`;
const published: readonly ServiceName[] = hostedServices.filter(isPublished);
const networks = listNetworks(...hostedServices);

/** Network names of the HTTP servers, as with separate services, for the proxy, the portal and a sandbox. */
const aliasesOn = (network: string): readonly string[] =>
  ({ edge: [...published, EDGE_GATEWAY], services: published })[network] ?? [];

/** Blocks of the process, its second replica and the migrations. */
export const allInOneBlocks = (): string[] =>
  [
    [
      '  # All permanent services in one process. deploy/compose/restore.sh starts it without the services that serve',
      '  # clients.',
      `  ${ALL_IN_ONE}: &${ALL_IN_ONE}`,
      '    <<: *service',
      ...imageLines(ALL_IN_ONE, `&${ALL_IN_ONE}-build`),
      `    command: [serve, --services, '${interpolation('ALL_IN_ONE_SERVICES', hostedServices.join())}']`,
      '    environment:',
      ...hostedLines(),
      `    secrets: [${hostedServices.flatMap(listSecretNames).join(', ')}]`,
      `    ports: [${published.map(publishedPort).join(', ')}]`,
      ...networkLines(networks, aliasesOn),
      '    # JavaScript uses one core. The other is for compression, DNS and garbage collection.',
      '    cpus: 2.0',
      '    mem_limit: 1536m',
      '    depends_on:',
      `      ${MIGRATION}: { condition: service_completed_successfully }`,
      '      rabbitmq: { condition: service_healthy }',
      '    healthcheck: *grpc-health',
    ],
    [
      `  ${secondReplica(ALL_IN_ONE)}:`,
      `    <<: *${ALL_IN_ONE}`,
      '    profiles: [production]',
      '    ports: []',
      ...networkLines(networks, (network) => [ALL_IN_ONE, ...aliasesOn(network)]),
    ],
    [
      `  ${MIGRATION}:`,
      '    <<: *job',
      `    image: ${toImage(ALL_IN_ONE)}`,
      PULL_POLICY,
      `    build: *${ALL_IN_ONE}-build`,
      '    command: [migrate]',
      '    environment:',
      ...hostedMigrationLines(),
      `    secrets: [${databaseServices.flatMap(listMigrationSecretNames).join(', ')}]`,
      '    networks: [database]',
      '    depends_on: *after-servers',
    ],
  ].map((lines) => lines.join('\n'));
