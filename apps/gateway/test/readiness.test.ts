import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startNeighbours } from '@saleschannel/testing';
import { createFake, fakes } from './support/fakes.ts';
import { startSystem, type System } from './support/system.ts';

let system: System;
let tasks: Awaited<ReturnType<typeof startNeighbours>>;
let nowMs = 0;
beforeAll(async () => {
  tasks = await startNeighbours(createFake('tasks', fakes.tasks));
  system = await startSystem({ TASKS_ADDRESS: tasks.address }, { now: () => nowMs });
});
afterAll(() => system.stop());

test('ends with the second missed probe of a service', async () => {
  const look = async (): Promise<number> => {
    nowMs += 1_000;
    return (await system.call('getReadiness')).status;
  };
  expect(await look()).toBe(200);
  await tasks.stop();
  // A probe during a stall of this process does not count.
  const seen = [await look()];
  while (seen.at(-1) === 200 && seen.length < 10) seen.push(await look());
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toBe(503);
});
