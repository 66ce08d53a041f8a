import { expect, test } from '@jest/globals';
import { JobThread } from '../src/threads/job-thread.ts';

const createThread = (timeoutMs: number): JobThread<string, string> =>
  new JobThread({ script: new URL('./support/slow-start.ts', import.meta.url), timeoutMs, memoryMb: 64 });

test('the deadline of a job counts from its start in the thread', async () => {
  const thread = createThread(2_000);
  expect(await Promise.all([thread.run('a'), thread.run('b')])).toEqual(['a', 'b']);
  thread.close();
});

test('a closed thread starts again', async () => {
  const thread = createThread(2_000);
  await thread.run('a');
  thread.close();
  expect(await thread.run('b')).toBe('b');
  thread.close();
});
