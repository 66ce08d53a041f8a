import type {
  UserDirectoryDefinition,
  UserDirectoryHandlers,
} from '@saleschannel/contracts/gen/identity/v1/UserDirectory';
import type { Database } from '@saleschannel/database';
import type { Client } from '@saleschannel/grpc';
import type { Logger } from '@saleschannel/runtime';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly users: Client<UserDirectoryHandlers, UserDirectoryDefinition>;
  readonly logger: Logger;
}
