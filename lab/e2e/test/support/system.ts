import { afterAll, beforeAll, expect } from '@jest/globals';
import { audit } from '@saleschannel/auditor';
import { endings } from '@saleschannel/testing';
import { startSystem, type System, type SystemOptions } from '../../src/system.ts';

/** Alone it takes three seconds; a machine may have much else to do. */
const START_LIMIT_MS = 90_000;
const END_LIMIT_MS = 180_000;
/** Only where something was found that may pass, which is seldom: everything has come to its end before. */
const QUIET_SECONDS = 20;

export interface Use {
  /** Why the tests leave something behind that does not add up. Without a reason the audit follows the last test. */
  readonly notAudited?: string;
}

let shared: Promise<System> | undefined;

/**
 * The system that test files of a worker share, with sales channels and people of the file's own. It starts with the
 * first of them. `shared-system.ending.ts` audits and stops it after the last. A file that stops services, sets clocks
 * or variables, or counts what all channels have uses `useOwnSystem`.
 */
export function useSystem(): () => System {
  let running: System | undefined;
  beforeAll(async () => {
    endings.add(new URL('shared-system.ending.ts', import.meta.url).pathname);
    running = await (await (shared ??= startSystem())).withNewDemo();
  }, START_LIMIT_MS);
  return () => started(running);
}

/** The shared system of this worker, which the caller stops. */
export async function takeSharedSystem(): Promise<System> {
  const system = started(await shared);
  shared = undefined;
  return system;
}

/**
 * A system of the test file's own, from before its first test to after its last. In the end it is audited, whatever the
 * tests were about.
 * @param options a function is called when the system starts
 */
export function useOwnSystem(
  options: SystemOptions | (() => SystemOptions) = {},
  { notAudited }: Use = {},
): () => System {
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
  return () => started(running);
}

/**
 * After everything came to its end: no certificate is lost or doubled, tasks, transactions, events and audit trails
 * agree with each other, and no message was given up.
 */
export async function auditSystem(system: System): Promise<void> {
  await system.drained();
  const results = await audit(system.auditUrls, {
    quietSeconds: QUIET_SECONDS,
    broker: { url: system.brokerUrl, namespace: system.namespace },
  });
  expect(results.filter(({ count }) => count > 0)).toEqual([]);
}

function started(system: System | undefined): System {
  if (!system) throw new Error('the system has not started');
  return system;
}
