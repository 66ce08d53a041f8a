import { afterAll, beforeAll, expect } from '@jest/globals';
import { audit } from '@saleschannel/auditor';
import { endings } from '@saleschannel/testing';
import { startSystem, type System, type SystemOptions } from '../../src/system.ts';

/** A start takes three seconds on an idle machine. */
const START_LIMIT_MS = 90_000;
const END_LIMIT_MS = 180_000;
/** Used only if something transient is found, which is rare after `drained`. */
const QUIET_SECONDS = 20;

export interface AuditOptions {
  /** Reason why the tests leave data that fails an audit. Without one, the audit follows the last test. */
  readonly notAudited?: string;
}

let shared: Promise<System> | undefined;

/**
 * The system that test files of a worker share, with a private demonstration for this file. The first file starts it,
 * and `shared-system.ending.ts` audits and stops it after the last. A file that stops services, sets clocks or
 * variables, or counts data of all channels uses `useOwnSystem`.
 */
export function useSystem(): () => System {
  let running: System | undefined;
  beforeAll(async () => {
    endings.add(new URL('shared-system.ending.ts', import.meta.url).pathname);
    running = await (await (shared ??= startSystem())).withNewDemo();
  }, START_LIMIT_MS);
  return () => started(running);
}

/** Hands over the shared system of this worker. The caller stops it. */
export async function takeSharedSystem(): Promise<System> {
  const system = started(await shared);
  shared = undefined;
  return system;
}

/**
 * A private system for the test file, from before its first test to after its last, audited at the end.
 * @param options a function is called at the start of the system
 */
export function useOwnSystem(
  options: SystemOptions | (() => SystemOptions) = {},
  { notAudited }: AuditOptions = {},
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
 * Waits until all work has ended, and audits the system: no certificate lost or doubled, no dead letter, and tasks,
 * transactions, events and audit trails agree.
 */
export async function auditSystem(system: System): Promise<void> {
  await system.waitUntilDrained();
  const results = await audit(system.auditUrls, {
    quietSeconds: QUIET_SECONDS,
    broker: { url: system.brokerUrl, namespace: system.namespace },
  });
  expect(results.filter(({ count }) => count > 0)).toEqual([]);
}

function started(system: System | undefined): System {
  if (!system) throw new Error('The system has not started.');
  return system;
}
