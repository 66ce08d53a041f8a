import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

/** Projects whose tests run after a change of a file. */
function affectedBy(file: string): string[] {
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const args = [nx, 'show', 'projects', '--affected', '--withTarget', 'test', '--files', file, '--json'];
  const { NODE_OPTIONS: _, ...environment } = process.env;
  const env = { ...environment, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' };
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' })) as string[];
}

test.each([
  ['apps/inventory/src/app.ts', ['inventory', 'e2e'], ['traders', 'tasks', 'gateway', 'portal', 'sdk']],
  ['libs/messaging/src/index.ts', ['inventory', 'tasks', 'events', 'e2e'], ['sdk', 'docs', 'tools']],
  ['protos/tasks/v1/tasks.proto', ['@saleschannel/contracts', 'tasks', 'gateway', 'e2e'], ['sdk', 'tools']],
  ['deploy/helm/services/tasks/values.yaml', ['deploy'], ['tasks', 'e2e', '@saleschannel/installation']],
  ['docs/integrate/api.md', ['docs'], ['gateway', 'tasks', 'tools', 'deploy']],
  ['tools/release.ts', ['tools'], ['tasks', 'gateway', 'e2e']],
])('a change of %s runs the tests of %j, and not of %j', (file, expected, others) => {
  const affected = affectedBy(file);
  expect(affected).toEqual(expect.arrayContaining(expected));
  expect(affected.filter((project) => others.includes(project))).toEqual([]);
});
