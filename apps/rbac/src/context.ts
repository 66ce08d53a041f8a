import type { Sealer } from '@saleschannel/auth';
import type { Database, LookUp } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';
import type { BindingAndChannel } from './store/bindings.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly findBinding: LookUp<{ readonly userId: string }, BindingAndChannel>;
  readonly identity: ServiceClient<'userDirectory'>;
  readonly tasks: ServiceClient<'channelTasks'>;
  readonly inventory: ServiceClient<'channelUse'>;
  /** Seals kept answers that hold a secret. */
  readonly sealer: Sealer;
  /** Channels of a sandbox can be replaced. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
}
