import type { Stack } from '@saleschannel/local';
import type { BenchOptions } from './arguments.ts';

/** What a figure has to reach. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One measured number. The report takes the median of its rounds, the smallest and the largest. */
export interface Figure {
  readonly name: string;
  /** What it is measured in. Empty for a ratio. */
  readonly unit: string;
  /** One number for each round. */
  readonly rounds: readonly number[];
  readonly target?: Target;
}

export interface StackNeeds {
  /** Further variables of the services. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Existing servers of databases, by service. Without it one private server. */
  readonly databaseUrls?: Readonly<Record<string, string>>;
  /** All services in one process. Default: as `--mode` says. */
  readonly allInOne?: boolean;
  /** An existing broker. */
  readonly amqpUrl?: string;
  /** Keeps the data of private servers here, for the next start. Without it they are removed. */
  readonly folder?: string;
  /** Why no audit follows: what the scenario makes behind the services' backs has no history that one could accept. */
  readonly unaudited?: string;
}

/** What a scenario measures with. */
export interface Bench {
  readonly options: BenchOptions;
  /** Of this scenario alone. Goes with its end. */
  readonly folder: string;
  say(line: string): void;
  /**
   * Starts a private system, lets the work use it, compares its databases with each other, and stops it.
   * @throws Error that names what does not add up
   */
  withStack<T>(needs: StackNeeds, work: (stack: Stack) => Promise<T>): Promise<T>;
}

/** One thing that is measured, chosen by `--only`. */
export interface Scenario {
  readonly name: string;
  /** What is divided by what, in one line. */
  readonly describe: string;
  /** Runs only where it is named: it tries another installation than the one that is measured. */
  readonly isTrial?: true;
  run(bench: Bench): Promise<readonly Figure[]>;
}
