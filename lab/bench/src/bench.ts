import { freePort, makeTemporaryFolder, removeFolder } from '@saleschannel/local-backends';
import { startStack, type Stack } from '@saleschannel/local';
import type { BenchOptions } from './arguments.ts';
import { auditSystem } from './measure/audit.ts';
import type { Result } from './report/figures.ts';
import type { Scenario, StackRequirements } from './scenario.ts';

/** Runs the scenarios in sequence, each on private systems. @throws Error if an audit has findings */
export async function runBench(
  scenarios: readonly Scenario[],
  options: BenchOptions,
  say: (line: string) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const scenario of scenarios) {
    say(`\n${scenario.name}: ${scenario.describe}`);
    const folder = await makeTemporaryFolder();
    try {
      const withStack = <T>(needs: StackRequirements, work: (stack: Stack) => Promise<T>): Promise<T> =>
        useStack({ allInOne: options.mode === 'all-in-one', ...needs }, say, work);
      const figures = await scenario.run({ options, folder, log: say, withStack });
      results.push({ scenario: scenario.name, describe: scenario.describe, figures });
    } finally {
      removeFolder(folder);
    }
  }
  return results;
}

async function useStack<T>(
  { variables = {}, notAudited, databaseUrls, amqpUrl, folder: kept, allInOne }: StackRequirements,
  say: (line: string) => void,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const folder = kept ?? (await makeTemporaryFolder());
  const stack = await startStack({
    folder,
    gatewayPort: await freePort(),
    idpPort: await freePort(),
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
