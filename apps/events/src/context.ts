import type { Database, Reads } from '@saleschannel/database';
import type { Feed } from './feed/feed.ts';

/** Dependencies of the RPCs. */
export interface Context {
  readonly database: Database;
  readonly reads: Reads;
  readonly feed: Feed;
}
