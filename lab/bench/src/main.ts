import { writeFileSync } from 'node:fs';
import { parseArguments } from './arguments.ts';
import { runBench } from './bench.ts';
import { median } from './measure/statistics.ts';
import { computeScore, formatTable } from './report/figures.ts';
import { toEntry, addToHistory } from './report/history.ts';
import { scenarios } from './scenarios/index.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = parseArguments(scenarios.map(({ name }) => name));
const chosen = scenarios.filter(({ name, isTrial }) => options.only?.includes(name) ?? isTrial === undefined);
const results = await runBench(chosen, options, say);
say(formatTable(results));
const entry = toEntry(results);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(entry, null, 2)}\n`);
if (options.record) addToHistory(entry);
const missed = results.flatMap(({ figures }) =>
  figures.filter(({ rounds, target }) => (computeScore(median(rounds), target) ?? 1) < 1).map(({ name }) => name),
);
if (options.bar && missed.length > 0) {
  say(`These figures miss their targets:\n${missed.join('\n')}`);
  process.exitCode = 1;
}
process.exit(process.exitCode ?? 0);
