// docker-compose.watch.yml: sources that Compose syncs into containers during development.
import { productionServices, type ServiceName } from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';

/** Contents of docker-compose.watch.yml. */
export const watchFile = (): string =>
  [
    `# ${GENERATED}`,
    '#',
    '#   docker compose -f docker-compose.yml -f docker-compose.watch.yml watch',
    '#',
    '# Sources that change are copied into the containers that run them, which start again. Compose v2.32 or later.',
    '# It is a file of its own because docker-compose 1.29 does not know these words.',
    'services:',
    ...productionServices.flatMap(({ name }) => watchLines(name)),
    '',
  ].join('\n');

const watchLines = (name: ServiceName): string[] => [
  `  ${name}:`,
  '    # Compose copies nothing into a file system that is read-only.',
  '    read_only: false',
  '    develop:',
  '      watch:',
  ...[`apps/${name}/src`, 'libs', 'protos'].map(
    (path) => `        - { action: sync+restart, path: ${path}, target: /app/${path} }`,
  ),
  ...(name === 'portal' || name === 'console' ? ['        - { action: rebuild, path: apps/web/src }'] : []),
  '        - { action: rebuild, path: package-lock.json }',
];
