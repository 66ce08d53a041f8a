import { afterAll, beforeAll } from '@jest/globals';
import { startSystem, type System, type SystemOptions } from '../../src/system.ts';

/** Alone it takes three seconds; a machine may have much else to do. */
const START_LIMIT_MS = 90_000;

/**
 * A system of the test file's own, from before its first test to after its last.
 * @param options a function is called when the system starts
 */
export function useSystem(options: SystemOptions | (() => SystemOptions) = {}): () => System {
  let running: System | undefined;
  beforeAll(async () => {
    running = await startSystem(typeof options === 'function' ? options() : options);
  }, START_LIMIT_MS);
  afterAll(() => running?.stop(), START_LIMIT_MS);
  return () => {
    if (!running) throw new Error('the system has not started');
    return running;
  };
}
