import type { Database, Reads } from '@saleschannel/database';
import type { Feed } from './feed/feed.ts';

/** What the RPCs work with. */
export interface Context {
  readonly database: Database;
  readonly reads: Reads;
  readonly feed: Feed;
}
