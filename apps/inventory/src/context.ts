import type { Database, Reads } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  /** For lists. */
  readonly reads: Reads;
  readonly clock: Clock;
  /** Whether the trader belongs to the sales channel. */
  isTrader(salesChannelId: string, traderId: string, within: Call): Promise<boolean>;
}
