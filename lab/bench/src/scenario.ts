import type { Stack } from '@saleschannel/local';
import { Command, InvalidArgumentError, Option } from 'commander';

export interface BenchOptions {
  /** Names of scenarios. Undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly rounds: number;
  readonly trades: number;
  readonly warmup: number;
  readonly seconds: number;
  readonly unfinished: number;
  readonly bundles: number;
  readonly channels: number;
  readonly keys: number;
  readonly records: number;
  readonly rows: number;
  /** Process model of the services, unless a scenario sets it. */
  readonly mode: 'separate' | 'all-in-one';
  /** File for the figures as JSON. */
  readonly json: string | undefined;
  /** Sets exit code 1 if the median of a figure misses its target. */
  readonly bar: boolean;
  /** Adds the figures to the history in docs/ and redraws its chart. */
  readonly record: boolean;
}

/** Reads the command line. Exits after `--help`, and with code 1 for an invalid option. */
export const parseArguments = (names: readonly string[]): BenchOptions =>
  new Command('npm run bench --')
    .description('Measures the system against frozen references, alternating in one run.')
    .option('--only <names>', `scenarios, separated by commas: ${names.join(', ')}`, parseScenarios(names))
    .option('--rounds <number>', 'rounds of reference and system', wholeNumber, 3)
    .option('--trades <number>', 'trades per round', wholeNumber, 15_000)
    .option('--warmup <number>', 'trades before the first round', wholeNumber, 5_000)
    .option('--seconds <number>', 'duration of a reference per round, and of open loops', wholeNumber, 5)
    .option('--unfinished <number>', 'maximum of trades in flight', wholeNumber, 1_024)
    .option('--bundles <number>', 'bundles of the larger ledger or inventory', wholeNumber, 1_000_000)
    .option('--channels <number>', 'sales channels of the larger market', wholeNumber, 1_000)
    .option('--keys <number>', 'API keys used in rotation', wholeNumber, 10_000)
    .option('--records <number>', 'records of an import', wholeNumber, 100_000)
    .option('--rows <number>', 'rows of the longer lists', wholeNumber, 1_000_000)
    .addOption(
      new Option('--mode <mode>', 'a process per service, or one process for all')
        .choices(['separate', 'all-in-one'])
        .default('separate'),
    )
    .option('--json <file>', 'file for the figures as JSON')
    .option('--bar', 'sets exit code 1 if a figure misses its target', false)
    .addOption(
      new Option('--record', 'adds the figures to the history in docs/operate/performance')
        .default(false)
        .conflicts('mode'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  npm run bench -- --only settle,latency\n  npm run bench -- --rounds 5 --record',
    )
    .parse()
    .opts<BenchOptions>();

/** @throws InvalidArgumentError */
function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number from 1.');
}

const parseScenarios =
  (names: readonly string[]) =>
  (text: string): string[] => {
    const wanted = text.split(',');
    const unknown = wanted.find((name) => !names.includes(name));
    if (unknown !== undefined) throw new InvalidArgumentError(`There is no scenario "${unknown}".`);
    return wanted;
  };

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

/** Returns a function that makes figures of these rounds, from the quantity of one round. */
export const createFigures =
  <Round>(rounds: readonly Round[]) =>
  (name: string, unit: string, select: (round: Round, index: number) => number, target?: Target): Figure => ({
    name,
    unit,
    rounds: rounds.map(select),
    ...(target && { target }),
  });

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
