import type { Database } from '@saleschannel/database';

/** What the RPCs need. */
export interface Context {
  readonly database: Database;
}
