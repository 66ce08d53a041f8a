import { beforeAll, describe, expect, test } from '@jest/globals';
import { createBadWorld, type BadWorld } from './bad-input/bad-world.ts';
import { badBodies } from './bad-input/bodies.ts';
import { badHeaders } from './bad-input/headers.ts';
import { badImports } from './bad-input/imports.ts';
import { badPaths } from './bad-input/paths.ts';
import { badQueries } from './bad-input/queries.ts';
import { useSystem } from './support/system.ts';
import { bundlesOf } from './support/world.ts';

/**
 * Whatever comes in: the answer is the client's fault, said as problem details, never a failure of the service. The clients of these tests
 * check exactly that of every answer.
 */

const system = useSystem();
let made: BadWorld;
beforeAll(async () => {
  made = await createBadWorld(system());
});
const world = (): BadWorld => made;

describe('bodies', () => badBodies(world));
describe('paths', () => badPaths(world));
describe('queries', () => badQueries(world));
describe('headers', () => badHeaders(world));
describe('imports', () => badImports(world));

test('after all that the system is well', async () => {
  await system().drained();
  const bundles = await bundlesOf(made.client, made.ids.traderId, made.bundle.issuanceId);
  expect(bundles.reduce((sum, { volume }) => sum + volume, 0)).toBeGreaterThan(0);
  await system().as('nobody').ok('GET', '/readyz');
});
