import { expect, test } from '@jest/globals';
import { eventually, withOwn } from '@saleschannel/testing';
import { offramp, trade } from './support/requests.ts';
import { refusalOf, startTasks, type Tasks } from './support/tasks.ts';

/**
 * A service that is asked cannot be reached: what needs it fails as 'unavailable', stores nothing, and uses up no key.
 */

/** Gives each test a service of its own. They mostly wait, so they run at the same time. */
const isolate = <Args extends unknown[]>(work: (tasks: Tasks, ...args: Args) => Promise<void>) =>
  withOwn(startTasks, work);

test.concurrent.each(['traders', 'inventory'] as const)(
  'while %s cannot be reached, transfers that are refused before it is asked get their own answer',
  isolate(async (tasks, name: 'traders' | 'inventory') => {
    const scene = tasks.newScene();
    await tasks.neighbours.take(name);
    const results = await tasks.startAll([
      await trade(scene),
      await trade(scene, { assets: [] }),
      await trade(scene, {}, { roles: [] }),
    ]);
    expect(results.map((result) => refusalOf(result).code)).toEqual(['unavailable', 'invalid-request', 'forbidden']);
    expect(await tasks.count()).toBe(0);
  }),
);

test.concurrent(
  'while the account holders cannot be asked, sellers without one can trade',
  isolate(async (tasks) => {
    const scene = tasks.newScene();
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
  }),
);

test.concurrent(
  'connections to the database that break are made again, and a request is accepted once',
  isolate(async (tasks) => {
    const scene = tasks.newScene();
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
  }),
);
