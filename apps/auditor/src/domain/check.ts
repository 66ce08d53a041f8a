/** The databases that are read, each that of one service. */
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

/** Something that does not add up. */
export interface Finding {
  /** What it is about: the id of a row, or several. */
  readonly id: string;
  readonly detail: string;
}

/** What a check tells while it runs. */
export interface Recorder {
  /** So many rows more were looked at. */
  looked(rows: number): void;
  found(id: string, detail: string): void;
}

/** One thing that must be true. */
export interface Check<Source> {
  readonly name: string;
  /** What is true when nothing is found. */
  readonly about: string;
  readonly databases: readonly DatabaseName[];
  /**
   * What is on its way from one database to another, or waits to be sent, looks like a fault for a moment. It counts
   * when it looks the same after a while.
   */
  readonly mayPass: boolean;
  run(source: Source, recorder: Recorder): Promise<void>;
}

/** How a check ended. */
export interface Result {
  readonly name: string;
  readonly about: string;
  readonly rows: number;
  /** How many there are, of which the first ones are named. */
  readonly count: number;
  readonly findings: readonly Finding[];
}
