import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '@saleschannel/local';
import { drawChart } from './chart.ts';
import { summarize, type StoredFigure, type Result } from './figures.ts';

/** One run of the bench, of some or all scenarios. */
export interface HistoryEntry {
  readonly commit: string;
  readonly at: string;
  readonly cores: number;
  readonly node: string;
  readonly scenarios: Readonly<Record<string, readonly StoredFigure[]>>;
}

const folder = join(projectRoot, 'docs', 'performance');
const historyFile = join(folder, 'history.json');
const chartFile = join(folder, 'figures.svg');

export const toEntry = (results: readonly Result[]): HistoryEntry => ({
  commit: commit(),
  at: new Date().toISOString(),
  cores: cpus().length,
  node: process.version,
  scenarios: Object.fromEntries(results.map(({ scenario, figures }) => [scenario, figures.map(summarize)])),
});

/** Adds a run to the history, and draws the chart of all runs. */
export function addToHistory(entry: HistoryEntry): void {
  mkdirSync(folder, { recursive: true });
  const before = existsSync(historyFile) ? (JSON.parse(readFileSync(historyFile, 'utf8')) as HistoryEntry[]) : [];
  const history = [...before, entry];
  writeFileSync(historyFile, `[\n${history.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
  writeFileSync(chartFile, drawChart(history));
}

/** The measured commit, with a plus sign for uncommitted changes. */
function commit(): string {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: projectRoot, encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short=10', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '+'}`;
  } catch {
    return 'unknown';
  }
}
