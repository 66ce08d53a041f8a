import type { Check, DatabaseName } from '../domain/check.ts';
import type { Snapshots } from './snapshot.ts';

export type DatabaseCheck = Check<Snapshots>;

interface Statements {
  readonly about: string;
  /** Selects the checked rows, to count them: a part of a statement from `from` on. */
  readonly rows: string;
  /** Selects violations, with texts `id` and `detail`. */
  readonly violations: string;
  readonly values?: readonly unknown[];
  readonly isTransient?: boolean;
}

/** Creates a check that is one statement on one database. */
export const statementCheck = (
  name: string,
  database: DatabaseName,
  { about, rows, violations, values = [], isTransient = false }: Statements,
): DatabaseCheck => ({
  name,
  about,
  databases: [database],
  isTransient,
  async run(snapshots, recorder) {
    const [counted] = await snapshots[database].all<{ count: string }>(`select count(*) ${rows}`);
    recorder.countRows(Number(counted?.count ?? 0));
    for await (const { id, detail } of snapshots[database].rows<{ id: string; detail: string }>(violations, values))
      recorder.report(id, detail);
  },
});
