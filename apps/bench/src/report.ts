/** What one round measured. */
export interface Round {
  /** Ledger steps per second of pgbench. */
  readonly limit: number;
  /** Trades per second of the system, end to end. */
  readonly system: number;
  readonly ratio: number;
  readonly refused: number;
  /** CPU microseconds per trade, by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

export interface Report {
  say(line: string): void;
  round(number: number, round: Round): void;
  summary(rounds: readonly Round[]): void;
}

/** Writes to standard output. @param isJson only the summary is written, as JSON */
export function report(isJson: boolean): Report {
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    say: isJson ? () => undefined : write,
    round(number, { system, limit, ratio, refused }) {
      if (isJson) return;
      const rates = `${Math.round(system)}/s against ${Math.round(limit)}/s, ratio ${ratio.toFixed(2)}`;
      write(`round ${number}: ${rates}${refused > 0 ? `, ${refused} refused` : ''}`);
    },
    summary(rounds) {
      const summary = summaryOf(rounds);
      if (isJson) write(JSON.stringify(summary, null, 2));
      else for (const line of linesOf(summary)) write(line);
    },
  };
}

function summaryOf(rounds: readonly Round[]) {
  const processes = Object.keys(rounds[0]?.cpu ?? {});
  const cpu = processes.map((name) => [name, Math.round(median(rounds.map((round) => round.cpu[name] ?? 0)))] as const);
  return {
    tradesPerSecond: Math.round(median(rounds.map((round) => round.system))),
    limitPerSecond: Math.round(median(rounds.map((round) => round.limit))),
    ratio: Number(median(rounds.map((round) => round.ratio)).toFixed(2)),
    ratios: rounds.map((round) => Number(round.ratio.toFixed(2))),
    cpuMicrosecondsPerTrade: { ...Object.fromEntries(cpu), all: cpu.reduce((sum, [, each]) => sum + each, 0) },
  };
}

const linesOf = (summary: ReturnType<typeof summaryOf>): string[] => [
  '',
  `trades per second, end to end   ${summary.tradesPerSecond}`,
  `pgbench, ledger step alone      ${summary.limitPerSecond}`,
  `ratio (median of rounds)        ${summary.ratio}   (${summary.ratios.join(', ')})`,
  'CPU µs per trade',
  ...Object.entries(summary.cpuMicrosecondsPerTrade).map(
    ([name, each]) => `  ${name.padEnd(18)} ${String(each).padStart(6)}`,
  ),
];

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
