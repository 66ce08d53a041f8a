import { settingOf, type Demo } from './demo.ts';
import { batchesOf } from './file/batches.ts';
import { readFile } from './file/read-file.ts';
import { planOf } from './plan/plan.ts';
import { reportOf, type Report } from './report.ts';
import { assertReady } from './run/readiness.ts';
import { runPlan, type RunOptions } from './run/run-plan.ts';
import { Tally } from './run/tally.ts';

export interface ReplayOptions extends RunOptions {
  /** Path of the CSV file. */
  readonly file: string;
  readonly demo: Demo;
  /** How long a stack that does not answer is asked. Default 5 seconds. */
  readonly firstAnswerWithinMs?: number;
}

/**
 * Replays a registry's records through the public APIs of a running stack. A second run over the same file changes
 * nothing more.
 * @throws UnreadableFile, UnusableDemo, and Unreachable when nothing answers from the start
 */
export async function replay({ file, demo, firstAnswerWithinMs, ...options }: ReplayOptions): Promise<Report> {
  const started = performance.now();
  const { rows, bad } = await readFile(file);
  const setting = settingOf(demo);
  const { batches, bad: contradicting } = batchesOf(rows);
  const plan = planOf(batches, setting.listing);
  const hasWork = plan.issuances.length > 0;
  if (hasWork) await assertReady(setting, firstAnswerWithinMs);
  const result = hasWork ? await runPlan(plan, setting, options) : { tally: new Tally() };
  return reportOf({
    file,
    salesChannelId: setting.listing.salesChannelId,
    plan,
    bad: [...bad, ...contradicting],
    ...result,
    elapsedMs: performance.now() - started,
  });
}
