import { expect, test } from '@jest/globals';
import { eventually, withOwn } from '@saleschannel/testing';
import { offramp, trade } from './support/requests.ts';
import { toRefusal, startTasks, type Tasks } from './support/tasks.ts';

/** While a service cannot be reached, transfers that need it are 'unavailable', store nothing and use no key. */

/** Gives each test its own service. The tests mostly wait, so they run concurrently. */
const isolate = <Args extends unknown[]>(work: (tasks: Tasks, ...args: Args) => Promise<void>) =>
  withOwn(startTasks, work);

test.concurrent.each(['traders', 'inventory'] as const)(
  'while %s cannot be reached, transfers that are refused earlier get the error of their refusal',
  isolate(async (tasks, name: 'traders' | 'inventory') => {
    const scene = tasks.newScene();
    await tasks.neighbours.stopService(name);
    const results = await tasks.startAll([
      await trade(scene),
      await trade(scene, { assets: [] }),
      await trade(scene, {}, { roles: [] }),
    ]);
    expect(results.map((result) => toRefusal(result).code)).toEqual(['unavailable', 'invalid-request', 'forbidden']);
    expect(await tasks.count()).toBe(0);
  }),
);

test.concurrent(
  'while registry-import cannot be reached, sellers without an account holder can trade',
  isolate(async (tasks) => {
    const scene = tasks.newScene();
    await tasks.neighbours.stopService('registryImport');
    const results = await tasks.startAll([
      await offramp(scene),
      await trade(scene),
      await trade(scene, {}, { traderId: scene.onboarded }),
    ]);
    expect(results.map((result) => result.task?.status ?? toRefusal(result).code)).toEqual([
      'unavailable',
      'PENDING',
      'unavailable',
    ]);
    expect(await tasks.count()).toBe(1);
  }),
);

test.concurrent(
  'broken database connections are replaced, and a request is accepted once',
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
