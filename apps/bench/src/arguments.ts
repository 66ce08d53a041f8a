import { Command, InvalidArgumentError } from 'commander';

export interface BenchOptions {
  readonly rounds: number;
  readonly trades: number;
  readonly warmup: number;
  readonly seconds: number;
  readonly unfinished: number;
  readonly json: boolean;
}

/** Reads the command line. Ends the process after `--help`, and with exit code 1 for a wrong option. */
export const readArguments = (): BenchOptions =>
  new Command('npm run bench --')
    .description('Trades per second, end to end, against what pgbench reaches with the ledger step alone.')
    .option('--rounds <number>', 'turns of both', wholeNumber, 3)
    .option('--trades <number>', 'trades per round', wholeNumber, 15_000)
    .option('--warmup <number>', 'trades before the first round', wholeNumber, 5_000)
    .option('--seconds <number>', 'of pgbench per round', wholeNumber, 4)
    .option('--unfinished <number>', 'trades under way at most', wholeNumber, 1_024)
    .option('--json', 'the figures as JSON, and nothing else', false)
    .addHelpText('after', '\nExamples:\n  npm run bench\n  npm run bench -- --rounds 5 --trades 20000')
    .parse()
    .opts<BenchOptions>();

/** @throws InvalidArgumentError */
function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}
