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
    '# Copies changed sources into the containers that run them, and restarts these. Requires Compose v2.32 or later.',
    '# A separate file, because docker-compose 1.29 does not know these keys.',
    'services:',
    ...productionServices.flatMap(({ name }) => watchLines(name)),
    '',
  ].join('\n');

const watchLines = (name: ServiceName): string[] => [
  `  ${name}:`,
  '    # Compose cannot copy files into a read-only file system.',
  '    read_only: false',
  '    develop:',
  '      watch:',
  ...[`apps/${name}/src`, 'libs', 'protos'].map(
    (path) => `        - { action: sync+restart, path: ${path}, target: /app/${path} }`,
  ),
  ...(name === 'portal' || name === 'console' ? ['        - { action: rebuild, path: apps/web/src }'] : []),
  '        - { action: rebuild, path: package-lock.json }',
];
