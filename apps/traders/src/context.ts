import type { Database } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly rbac: ServiceClient<'bindingDirectory'>;
}
