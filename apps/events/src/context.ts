import type { Database } from '@saleschannel/database';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
}
