import { appendFile, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { databaseNames } from '../domain/check.ts';
import type { DatabaseCheck } from './database-check.ts';

/** Head of an audit chain. */
export interface ChainHead {
  /** Decimal text of a bigint. */
  readonly sequence: string;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** Chain heads by `<database>/<scope>`. */
export type ChainHeads = Readonly<Record<string, ChainHead>>;

/**
 * Compares the chains with heads kept outside the databases. With write access to a database, the last events of its
 * chain can be deleted and the head moved back, which only a head kept elsewhere reveals.
 * @param onHeads receives the current heads, from the same snapshots as all other checks
 */
export const anchorCheck = (anchored: ChainHeads, onHeads: (heads: ChainHeads) => void): DatabaseCheck => ({
  name: 'anchors',
  about: 'Each audit chain still contains the head that is anchored outside its database',
  isTransient: false,
  async run(snapshots, recorder) {
    const heads: Record<string, ChainHead> = {};
    for (const name of databaseNames) {
      const snapshot = snapshots[name];
      if (!(await snapshot.hasTable('audit_event'))) continue;
      const ends = await snapshot.all<ChainHead & { scope: string }>(
        `select scope, sequence::text, encode(hash, 'hex') as hash from audit_head where hash is not null`,
      );
      for (const { scope, ...head } of ends) heads[`${name}/${scope}`] = head;
      const anchors = Object.entries(anchored).filter(([key]) => key.startsWith(`${name}/`));
      recorder.countRows(anchors.length);
      const events = await snapshot.all<{ key: string; hash: string }>(
        `select $1 || '/' || scope || '/' || sequence as key, encode(hash, 'hex') as hash
        from audit_event join unnest($2::text[], $3::bigint[]) as anchor (scope, sequence) using (scope, sequence)`,
        [name, anchors.map(([key]) => key.slice(name.length + 1)), anchors.map(([, { sequence }]) => sequence)],
      );
      const hashes = new Map(events.map(({ key, hash }) => [key, hash]));
      for (const [key, { sequence, hash }] of anchors) {
        if (hashes.get(`${key}/${sequence}`) !== hash)
          recorder.report(`${key}/${sequence}`, `the anchored event ${hash} is missing or was changed`);
      }
    }
    onHeads(heads);
  },
});

const line = z.object({
  anchoredAt: z.string(),
  heads: z.record(z.string(), z.object({ sequence: z.string().regex(/^[1-9]\d*$/), hash: z.string().length(64) })),
});

/**
 * Reads the last anchored heads. A file that does not exist has none.
 * @throws Error if the file cannot be read, or its last line is not an anchor
 */
export async function readAnchors(path: string): Promise<ChainHeads> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const last = text.trimEnd().split('\n').at(-1);
  if (!last) return {};
  try {
    return line.parse(JSON.parse(last)).heads;
  } catch (error) {
    throw new Error(`The last line of ${path} is not an anchor.`, { cause: error });
  }
}

/** Appends the heads as a line of JSON. Works on append-only storage. */
export const addAnchors = (path: string, heads: ChainHeads, now: Date): Promise<void> =>
  appendFile(path, `${JSON.stringify({ anchoredAt: now.toISOString(), heads } satisfies z.input<typeof line>)}\n`, {
    mode: 0o600,
    flush: true,
  });
