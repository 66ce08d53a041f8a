import { requestRefused } from '@saleschannel/errors';
import { name, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** What makes a new sales channel. */
export interface NamedSalesChannel {
  readonly id: string;
  readonly name: string;
}

export interface SalesChannel extends NamedSalesChannel {
  /** A SUSPENDED channel is read, and nothing on it changes. */
  readonly status: 'ACTIVE' | 'SUSPENDED';
  /** ISO 8601. Null unless it is suspended. */
  readonly suspendedAt: string | null;
  readonly suspendedReason: string | null;
  /** ISO 8601. Null unless it is closed for good. Such a channel is SUSPENDED. */
  readonly closedAt: string | null;
  readonly closedReason: string | null;
}

/** Why a channel is suspended that another one stands in for. */
export const REPLACED = 'Replaced by a new sales channel: the sandbox was reset.';

/**
 * How long a channel is suspended before it can be closed. A suspension takes effect everywhere within five seconds,
 * and what was accepted before may be on its way to the ledger until the deadlines of its calls, ten seconds at most.
 * Only then does a count of what is open mean that nothing more comes.
 */
export const CLOSE_AFTER_SUSPENSION_MS = 30_000;

/** What a new sales channel is made of. */
export const newSalesChannel = z.object({ name });

/** What a sales channel is called from now on, and why. */
export const renaming = z.object({ salesChannelId: z.string(), name, reason });

/** Which sales channel an operator stops, and why. */
export const stopping = z.object({ salesChannelId: z.string(), reason });

/** Nothing on a closed channel changes any more. @throws DomainError 'request-refused' */
export function refuseClosed({ closedAt }: SalesChannel): void {
  if (closedAt === null) return;
  throw requestRefused('The sales channel is closed for good.', [
    {
      parameter: 'salesChannelId',
      code: 'sales-channel-closed',
      detail: `names a sales channel closed on ${closedAt}`,
    },
  ]);
}
