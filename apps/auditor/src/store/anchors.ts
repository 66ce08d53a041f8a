import { databaseNames } from '../domain/check.ts';
import type { DatabaseCheck } from './statement-check.ts';

/** The end of an audit chain. */
export interface ChainHead {
  /** Decimal text of a bigint. */
  readonly sequence: string;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** Chain heads by `<database>/<scope>`. */
export type ChainHeads = Readonly<Record<string, ChainHead>>;

/**
 * Compares the chains with heads kept outside of the databases. Whoever can write to a database can delete the last
 * acts of its chain and move the head back; only a head kept elsewhere shows that.
 * @param onHeads gets the present heads, of the same snapshots as all other checks
 */
export const anchorCheck = (anchored: ChainHeads, onHeads: (heads: ChainHeads) => void): DatabaseCheck => ({
  name: 'anchors',
  about: 'Each audit chain still contains the head that is anchored outside its database',
  databases: databaseNames,
  mayPass: false,
  async run(snapshots, recorder) {
    const heads: Record<string, ChainHead> = {};
    for (const name of databaseNames) {
      const snapshot = snapshots[name];
      const [there] = await snapshot.all<{ isThere: boolean }>(
        `select to_regclass('audit_event') is not null as "isThere"`,
      );
      if (!there?.isThere) continue;
      const ends = await snapshot.all<ChainHead & { scope: string }>(
        `select scope, sequence::text, encode(hash, 'hex') as hash from audit_head where hash is not null`,
      );
      for (const { scope, ...head } of ends) heads[`${name}/${scope}`] = head;
      const wanted = Object.entries(anchored).filter(([key]) => key.startsWith(`${name}/`));
      recorder.looked(wanted.length);
      const held = await snapshot.all<{ key: string; hash: string }>(
        `select $1 || '/' || scope || '/' || sequence as key, encode(hash, 'hex') as hash
        from audit_event join unnest($2::text[], $3::bigint[]) as wanted (scope, sequence) using (scope, sequence)`,
        [name, wanted.map(([key]) => key.slice(name.length + 1)), wanted.map(([, { sequence }]) => sequence)],
      );
      const hashes = new Map(held.map(({ key, hash }) => [key, hash]));
      for (const [key, { sequence, hash }] of wanted) {
        if (hashes.get(`${key}/${sequence}`) !== hash)
          recorder.found(`${key}/${sequence}`, `the anchored event ${hash} is missing or was changed`);
      }
    }
    onHeads(heads);
  },
});
