import { setTimeout as delay } from 'node:timers/promises';
import { nowMs } from './journal.ts';
import type { Market } from './market.ts';
import type { Clients } from './operations.ts';

const AGAIN_MS = 500;

/**
 * Suspends or resumes a market's account holder as the operator does, retrying at the next replica until it is
 * answered. Undefined if the outcome was not known in time, as the journal records.
 */
export async function changeAccountHolder(
  { registry, operators, journal }: Pick<Clients, 'registry' | 'operators' | 'journal'>,
  { suspendable: { accountHolderId } }: Market,
  action: 'suspend' | 'resume',
): Promise<{ readonly attempts: number } | undefined> {
  const request = journal.nextId();
  const asked = { kind: `${action} holder`, actor: 'operator', method: 'POST', expected: [200] } as const;
  journal.add({ type: 'request', id: request, ...asked, path: `account-holders/${accountHolderId}/${action}` });
  for (let attempts = 1; ; attempts++) {
    const turn = (request + attempts) % operators.length;
    const attempt = { type: 'attempt', request, gateway: `operator ${turn}`, sentAt: nowMs() } as const;
    const holders = operators[turn]?.accountHolders;
    try {
      await (action === 'suspend'
        ? holders?.SuspendAccountHolder({ accountHolderId, reason: 'chaos' })
        : holders?.ResumeAccountHolder({ accountHolderId }));
      journal.add({ ...attempt, status: 200 });
      return { attempts };
    } catch (error) {
      journal.add({ ...attempt, reason: String((error as { code?: unknown }).code) });
    }
    if (registry.client.hasGivenUp) return undefined;
    await delay(AGAIN_MS);
  }
}
