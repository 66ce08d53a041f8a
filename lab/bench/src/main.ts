import { writeFileSync } from 'node:fs';
import { startStack, type Stack } from '@saleschannel/local';
import { findFreePort, createTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { auditSystem } from './measure/audit.ts';
import { median } from './measure/statistics.ts';
import { computeScore, formatTable, type Result } from './report/figures.ts';
import { toEntry, addToHistory } from './report/history.ts';
import { parseArguments, type Scenario, type StackRequirements } from './scenario.ts';
import { admission } from './scenarios/admission.ts';
import { fairness } from './scenarios/fairness.ts';
import { growth } from './scenarios/growth.ts';
import { imports } from './scenarios/import.ts';
import { inventory } from './scenarios/inventory.ts';
import { latency } from './scenarios/latency.ts';
import { pages } from './scenarios/pages.ts';
import { reads } from './scenarios/reads.ts';
import { settle } from './scenarios/settle.ts';
import { start } from './scenarios/start.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { width } from './scenarios/width.ts';
import { cost } from './trials/cost.ts';
import { modes } from './trials/modes.ts';
import { oneRow } from './trials/one-row.ts';
import { ownServers } from './trials/own-servers.ts';
import { standby } from './trials/standby.ts';
import { telemetry } from './trials/telemetry.ts';
import { threeBrokers } from './trials/three-brokers.ts';
import { twoPhase } from './trials/two-phase.ts';

/** All scenarios, in the order in which they run. */
const scenarios: readonly Scenario[] = [
  settle,
  latency,
  reads,
  inventory,
  fairness,
  admission,
  growth,
  imports,
  pages,
  start,
  webhooks,
  width,
  cost,
  ownServers,
  oneRow,
  threeBrokers,
  twoPhase,
  standby,
  telemetry,
  modes,
];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = parseArguments(scenarios.map(({ name }) => name));

/** Runs a scenario on private systems. @throws Error if an audit has findings */
async function runScenario({ name, describe, run }: Scenario): Promise<Result> {
  say(`\n${name}: ${describe}`);
  const folder = await createTemporaryFolder();
  try {
    return { scenario: name, figures: await run({ options, folder, log: say, withStack }) };
  } finally {
    removeFolder(folder);
  }
}

async function withStack<T>(
  {
    variables = {},
    notAudited,
    databaseUrls,
    amqpUrl,
    folder: kept,
    allInOne = options.mode === 'all-in-one',
  }: StackRequirements,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const folder = kept ?? (await createTemporaryFolder());
  const stack = await startStack({
    folder,
    gatewayPort: await findFreePort(),
    idpPort: await findFreePort(),
    format: 'json',
    quiet: true,
    databaseUrl: databaseUrls,
    amqpUrl,
    allInOne,
    variables,
  });
  try {
    const result = await work(stack);
    say(notAudited === undefined ? await auditSystem(stack.place, databaseUrls) : `no audit: ${notAudited}`);
    return result;
  } finally {
    await stack.stop();
    if (kept === undefined) removeFolder(folder);
  }
}

const results: Result[] = [];
for (const scenario of scenarios)
  if (options.only?.includes(scenario.name) ?? scenario.isTrial === undefined)
    results.push(await runScenario(scenario));
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
