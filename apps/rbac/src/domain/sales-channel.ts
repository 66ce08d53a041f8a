import { name, reason } from '@saleschannel/validation';
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
}

/** Why a channel is suspended that another one stands in for. */
export const REPLACED = 'Replaced by a new sales channel: the sandbox was reset.';

/** What a new sales channel is made of. */
export const newSalesChannel = z.object({ name });

/** What a sales channel is called from now on, and why. */
export const renaming = z.object({ salesChannelId: z.string(), name, reason });
