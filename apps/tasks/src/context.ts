import type { TokenVerifier } from '@saleschannel/auth';
import type { Database, LookUp, Reads } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Counter } from '@saleschannel/runtime';
import type { OtherReplicas } from './consumers/other-replicas.ts';
import type { AccountHolders } from './neighbours/account-holders.ts';
import type { Parties } from './neighbours/parties.ts';
import type { Task } from './domain/task.ts';
import type { Announcer } from './store/announcements.ts';
import type { Admission } from './operations/admission.ts';
import type { TaskEnds, PollIntervals } from './operations/task-ends.ts';
import type { TaskPath } from './store/tasks.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  readonly reads: Reads;
  readonly findTask: LookUp<TaskPath, Task>;
  readonly ends: TaskEnds;
  /** Announces the sales channels in which clients wait here. */
  readonly replicas: Pick<OtherReplicas, 'announceWaits'>;
  readonly pollIntervalsMs: PollIntervals;
  /** Verifies the principal token of each transfer. */
  readonly verifier: TokenVerifier;
  readonly announcer: Announcer;
  /** Counts new tasks. */
  readonly created: Counter;
  /** Bounds the tasks that wait for the ledger. */
  readonly admission: Admission;
  readonly parties: Parties;
  readonly inventory: ServiceClient<'selectionCheck'>;
  readonly accountHolders: AccountHolders;
}
