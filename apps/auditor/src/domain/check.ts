/** The audited databases, by service. */
export const databaseNames = [
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
] as const;
export type DatabaseName = (typeof databaseNames)[number];

/** A violation that a check found. */
export interface Finding {
  /** Ids of the rows. */
  readonly id: string;
  readonly detail: string;
}

/** Receives the progress of a check. */
export interface Recorder {
  /** Adds to the number of checked rows. */
  countRows(rows: number): void;
  report(id: string, detail: string): void;
}

/** An invariant of the databases. */
export interface Check<Source> {
  readonly name: string;
  /** The invariant, as a sentence. */
  readonly about: string;
  /**
   * True if a change in transit between databases looks like a violation. Then a finding counts only if it is unchanged
   * some time later.
   */
  readonly isTransient: boolean;
  run(source: Source, recorder: Recorder): Promise<void>;
}

/** Result of a check. */
export interface Result {
  readonly name: string;
  readonly about: string;
  readonly rows: number;
  /** Number of all findings; `findings` has the first ones. */
  readonly count: number;
  readonly findings: readonly Finding[];
}
