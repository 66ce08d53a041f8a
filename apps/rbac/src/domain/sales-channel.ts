import { requestRefused } from '@saleschannel/errors';
import { name, reason } from '@saleschannel/primitives/validation';
import { z } from 'zod';

export interface NamedSalesChannel {
  readonly id: string;
  readonly name: string;
}

export interface SalesChannel extends NamedSalesChannel {
  /** A SUSPENDED channel is read-only. */
  readonly status: 'ACTIVE' | 'SUSPENDED';
  /** In ISO 8601. Null unless it is suspended. */
  readonly suspendedAt: string | null;
  readonly suspendedReason: string | null;
  /** In ISO 8601. Null unless it is closed for good. A closed channel is SUSPENDED. */
  readonly closedAt: string | null;
  readonly closedReason: string | null;
}

/** Suspension reason of a replaced channel. */
export const REPLACED_REASON = 'Replaced by a new sales channel: the sandbox was reset.';

/**
 * Minimum suspension before a channel can be closed. A suspension takes effect everywhere within five seconds, and
 * requests accepted before it may reach the ledger until their deadlines, ten seconds at most. Only later counts are
 * final.
 */
export const CLOSE_AFTER_SUSPENSION_MS = 30_000;

export const newSalesChannel = z.object({ name });

export const renameRequest = z.object({ salesChannelId: z.string(), name, reason });

/** Suspension or closing by an operator. */
export const suspensionRequest = z.object({ salesChannelId: z.string(), reason });

/** Refuses changes of a closed channel. @throws DomainError 'request-refused' */
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
