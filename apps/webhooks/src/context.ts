import type { Sealer } from '@saleschannel/auth';
import type { Database, Reads } from '@saleschannel/database';
import type { Clock } from '@saleschannel/primitives';
import type { Logger } from '@saleschannel/runtime';
import type { TargetRules } from './domain/target.ts';
import type { EventLog } from './neighbours/event-log.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  readonly reads: Reads;
  readonly log: EventLog;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly targetRules: TargetRules;
  readonly endpointsPerChannel: number;
  /** Allows the calls of the sandbox service. */
  readonly isSandbox: boolean;
}
