import type { Stack } from '@saleschannel/local';
import type { BenchOptions } from './arguments.ts';

/** Target of a figure. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One measured quantity. The report shows the median, minimum and maximum of its rounds. */
export interface Figure {
  readonly name: string;
  /** Unit, empty for a ratio. */
  readonly unit: string;
  /** One number per round. */
  readonly rounds: readonly number[];
  readonly target?: Target;
}

export interface StackRequirements {
  /** Further variables of the services. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Existing database servers by service. One private server by default. */
  readonly databaseUrls?: Readonly<Record<string, string>>;
  /** All services in one process. Default: `--mode`. */
  readonly allInOne?: boolean;
  /** URL of an existing broker. */
  readonly amqpUrl?: string;
  /** Keeps the data of private servers here for the next start. Removed by default. */
  readonly folder?: string;
  /** Reason for not auditing: the scenario writes data without the history that an audit requires. */
  readonly notAudited?: string;
}

/** Environment of a scenario. */
export interface ScenarioContext {
  readonly options: BenchOptions;
  /** Private folder of this scenario, removed at its end. */
  readonly folder: string;
  log(line: string): void;
  /**
   * Starts a private system, runs the work on it, audits its databases, and stops it.
   * @throws Error with the findings of the audit
   */
  withStack<T>(needs: StackRequirements, work: (stack: Stack) => Promise<T>): Promise<T>;
}

/** One measurement, chosen by `--only`. */
export interface Scenario {
  readonly name: string;
  /** The ratio that it measures, in one line. */
  readonly describe: string;
  /** Runs only if named, because it measures another installation than the default one. */
  readonly isTrial?: true;
  run(bench: ScenarioContext): Promise<readonly Figure[]>;
}
