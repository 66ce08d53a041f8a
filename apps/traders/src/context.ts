import type { Database, Reads } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  /** Reads of lists. */
  readonly reads: Reads;
  readonly rbac: ServiceClient<'bindingDirectory'>;
}
