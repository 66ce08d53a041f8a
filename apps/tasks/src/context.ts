import type { TokenVerifier } from '@saleschannel/auth';
import type { services } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { ServiceClient } from '@saleschannel/grpc';
import type { Counter } from '@saleschannel/runtime';
import type { Parties } from './parties.ts';

export interface Context {
  readonly database: Database;
  readonly verifier: TokenVerifier;
  /** Counts the tasks that are accepted. */
  readonly created: Counter;
  readonly parties: Parties;
  readonly inventory: ServiceClient<typeof services.selectionChecks>;
  readonly accountHolders: ServiceClient<typeof services.accountHolderDirectory>;
}
