import type { Check, DatabaseName } from '../domain/check.ts';
import type { Snapshots } from './snapshot.ts';

export type DatabaseCheck = Check<Snapshots>;

interface Statements {
  readonly about: string;
  /** What is counted as looked at: a part of a statement that begins with `from`. */
  readonly rows: string;
  /** What must find nothing. Its columns are `id` and `detail`, both texts. */
  readonly violations: string;
  readonly values?: readonly unknown[];
  readonly mayPass?: boolean;
}

/** A check that one statement on one database makes. */
export const statementCheck = (
  name: string,
  database: DatabaseName,
  { about, rows, violations, values = [], mayPass = false }: Statements,
): DatabaseCheck => ({
  name,
  about,
  databases: [database],
  mayPass,
  async run(snapshots, recorder) {
    const [counted] = await snapshots[database].all<{ count: string }>(`select count(*) ${rows}`);
    recorder.looked(Number(counted?.count ?? 0));
    for await (const { id, detail } of snapshots[database].rows<{ id: string; detail: string }>(violations, values))
      recorder.found(id, detail);
  },
});
