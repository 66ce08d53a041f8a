import type { Sealer } from '@saleschannel/auth';
import type { Database, Reads } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { EventLog } from './neighbours/event-log.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly reads: Reads;
  readonly log: EventLog;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether endpoints may be in private networks and without TLS. */
  readonly allowsPrivate: boolean;
  readonly endpointsPerChannel: number;
  /** The sandbox breaks endpoints, and leaves them. */
  readonly isSandbox: boolean;
}
