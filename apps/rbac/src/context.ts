import type { Sealer } from '@saleschannel/auth';
import type { Database, LookUp } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';
import type { BindingAndChannel } from './store/bindings.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  readonly findBinding: LookUp<{ readonly userId: string }, BindingAndChannel>;
  readonly identity: ServiceClient<'userDirectory'>;
  readonly tasks: ServiceClient<'channelTasks'>;
  readonly inventory: ServiceClient<'channelUse'>;
  /** Seals stored responses with a secret. */
  readonly sealer: Sealer;
  /** Allows the sandbox service to replace channels. */
  readonly isSandbox: boolean;
  readonly logger: Logger;
}
