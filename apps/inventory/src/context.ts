import type { Database } from '@saleschannel/database';
import type { Call } from '@saleschannel/grpc';
import type { Clock } from '@saleschannel/primitives';
import type { Reconciler } from './operations/reconcile.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly clock: Clock;
  /** Whether the trader belongs to the sales channel. */
  isTrader(salesChannelId: string, traderId: string, within: Call): Promise<boolean>;
  readonly reconciler: Pick<Reconciler, 'run'>;
}
