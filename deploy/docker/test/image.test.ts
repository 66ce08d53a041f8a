import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { projectRoot } from '../../installation/test/support/programs.ts';
import { isIncluded, parseDockerignore } from './support/dockerfile.ts';
import { describeImage } from './support/image.ts';

// The image with most files. images.more.test.ts tests the others.
describeImage('gateway');

test('only the files of .dockerignore reach the builder', () => {
  const patterns = parseDockerignore(readFileSync(join(projectRoot, '.dockerignore'), 'utf8'));
  const sent = [
    'package.json',
    'package-lock.json',
    '.npmrc',
    'apps/identity/src/main.ts',
    'apps/gateway/openapi/openapi.yaml',
    'tools/generate/openapi.ts',
    'docker-compose.yml',
    'protos/rbac/v1/rbac.proto',
    'apps/tasks/src/store/migrations/20261121000001-tasks.sql',
    'libs/messaging/src/outbox.sql',
    'deploy/installation/package.json',
    'deploy/local/package.json',
    'tools/codegen/package.json',
    'deploy/docker/health.ts',
    'deploy/installation/src/services.ts',
    'deploy/compose/generate-secrets.ts',
  ];
  const excluded = [
    '.secrets/installation.json',
    'libs/contracts/src/gen/events.v1.ts',
    'docs/operate/settings.md',
    '.env',
    '.git/config',
    '.local/secrets.json',
    'node_modules/pg/package.json',
    'apps/events/node_modules/x',
    'apps/gateway/test/a.ts',
    'libs/errors/src/index.test.ts',
    'README.md',
    'deploy/local/src/start.ts',
    'deploy/installation/test/tls.test.ts',
    'deploy/helm/render.ts',
    'deploy/docker/test/health.test.ts',
    'libs/.env',
  ];
  expect(sent.filter((path) => !isIncluded(path, patterns))).toEqual([]);
  expect(excluded.filter((path) => isIncluded(path, patterns))).toEqual([]);
});
