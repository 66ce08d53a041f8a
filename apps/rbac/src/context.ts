import type { Database } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly identity: ServiceClient<'userDirectory'>;
  readonly logger: Logger;
}
