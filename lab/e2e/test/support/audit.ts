import { expect } from '@jest/globals';
import { audit } from '@saleschannel/auditor';
import type { System } from '../../src/system.ts';

/** Only where something was found that may pass, which is seldom: everything has come to its end before. */
const QUIET_SECONDS = 20;

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
