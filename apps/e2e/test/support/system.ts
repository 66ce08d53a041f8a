import { afterAll, beforeAll } from '@jest/globals';
import { startSystem, type System, type SystemOptions } from '../../src/system.ts';
import { auditSystem } from './audit.ts';

/** Alone it takes three seconds; a machine may have much else to do. */
const START_LIMIT_MS = 90_000;
const END_LIMIT_MS = 180_000;

export interface Use {
  /** Why the tests leave something behind that does not add up. Without a reason the audit follows the last test. */
  readonly notAudited?: string;
}

/**
 * A system of the test file's own, from before its first test to after its last. In the end it is audited, whatever the
 * tests were about.
 * @param options a function is called when the system starts
 */
export function useSystem(options: SystemOptions | (() => SystemOptions) = {}, { notAudited }: Use = {}): () => System {
  let running: System | undefined;
  beforeAll(async () => {
    running = await startSystem(typeof options === 'function' ? options() : options);
  }, START_LIMIT_MS);
  afterAll(async () => {
    try {
      if (running && notAudited === undefined) await auditSystem(running);
    } finally {
      await running?.stop();
    }
  }, END_LIMIT_MS);
  return () => {
    if (!running) throw new Error('the system has not started');
    return running;
  };
}
