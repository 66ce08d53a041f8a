import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { deriveNames } from '../names.ts';
import { listRegistrationFiles } from '../registrations.ts';

const root = join(import.meta.dirname, '../../..');

function dryRun(name: string): { status: number | null; output: string } {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = [join(root, 'tools/new-service.ts'), name, '--dry-run'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, env, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

// A dry run builds everything in memory and fails if a text to replace is missing. tools/new-service/check.ts creates a
// service in a copy of the workspace and checks it.
test('every registration finds the text to replace', () => {
  const { status, output } = dryRun('carbon-prices');
  expect(output).toContain('new      apps/carbon-prices/src/app.ts');
  expect(output).toContain('new      protos/carbon_prices/v1/carbon_prices.proto');
  for (const file of listRegistrationFiles()) expect(output).toContain(`changed  ${file}`);
  expect(status).toBe(0);
});

test.each([
  ['traders', 'apps/traders already exists'],
  ['grpc', 'libs/grpc already exists'],
  ['Prices', '"Prices" is not a valid name'],
  ['', '"" is not a valid name'],
])('"%s" is refused', (name, why) => {
  const { status, output } = dryRun(name);
  expect(output).toContain(why);
  expect(status).not.toBe(0);
});

test('a name has a form for each use', () => {
  expect(deriveNames('carbon-prices', new Date('2026-03-14T15:09:26Z'))).toEqual({
    name: 'carbon-prices',
    pascal: 'CarbonPrices',
    camel: 'carbonPrices',
    snake: 'carbon_prices',
    timestamp: '20260314150926',
  });
});
