import { expect } from '@jest/globals';
import { audit } from '@saleschannel/auditor';
import type { System } from '../../src/system.ts';

/** How long what the last test left may still be on its way. */
const QUIET_SECONDS = 5;

/**
 * After everything came to its end: no certificate is lost or doubled, and tasks, transactions, events and audit trails
 * agree with each other.
 */
export async function auditSystem(system: System): Promise<void> {
  await system.drained();
  const results = await audit(system.auditUrls, { quietSeconds: QUIET_SECONDS });
  expect(results.filter(({ count }) => count > 0)).toEqual([]);
}
