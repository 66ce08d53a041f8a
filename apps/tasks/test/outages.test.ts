import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@saleschannel/testing';
import { offramp, trade, type Scene } from './support/requests.ts';
import { refusalOf, startTasks, type Tasks } from './support/tasks.ts';

/**
 * A service that is asked cannot be reached: what needs it fails as 'unavailable', stores nothing, and uses up no key.
 */

let tasks: Tasks;
let scene: Scene;
beforeEach(async () => {
  tasks = await startTasks();
  scene = tasks.newScene();
});
afterEach(() => tasks.stop());

describe.each(['traders', 'inventory'] as const)('while %s cannot be reached', (name) => {
  test('transfers that are refused before it is asked get their own answer', async () => {
    await tasks.neighbours.take(name);
    const results = await tasks.startAll([
      await trade(scene),
      await trade(scene, { assets: [] }),
      await trade(scene, {}, { roles: [] }),
    ]);
    expect(results.map((result) => refusalOf(result).code)).toEqual(['unavailable', 'invalid-request', 'forbidden']);
    expect(await tasks.count()).toBe(0);
  });
});

test('while the account holders cannot be asked, sellers without one can trade', async () => {
  await tasks.neighbours.take('registryImport');
  const results = await tasks.startAll([
    await offramp(scene),
    await trade(scene),
    await trade(scene, {}, { traderId: scene.onboarded }),
  ]);
  expect(results.map((result) => result.task?.status ?? refusalOf(result).code)).toEqual([
    'unavailable',
    'PENDING',
    'unavailable',
  ]);
  expect(await tasks.count()).toBe(1);
});

test('connections to the database that break are made again, and a request is accepted once', async () => {
  const request = await trade(scene);
  await tasks.startAll([await trade(scene)]);
  await tasks.service.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const accepted = await eventually(
    async () => (await tasks.startAll([request]))[0]?.task ?? undefined,
    'the request to be accepted',
  );
  expect(accepted.status).toBe('PENDING');
  expect(await tasks.count()).toBe(2);
});
