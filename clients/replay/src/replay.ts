import { z } from 'zod';
import { Api, RefusedError } from './api/client.ts';
import { DemoFileError, selectSetting, type Demo, type Setting } from './demo.ts';
import { groupBatches } from './file/batches.ts';
import { readFile } from './file/read-file.ts';
import { createPlan } from './plan/plan.ts';
import { createReport, type Report } from './report.ts';
import { runPlan, type RunOptions } from './run/run-plan.ts';
import { Tally } from './run/transfers.ts';

const NEEDED_ROLES = ['ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR'];
/** Reports a stopped stack soon, instead of after the time of a restart. */
const FIRST_ANSWER_WITHIN_MS = 5_000;

const bindingSchema = z.object({ salesChannelId: z.string(), roles: z.array(z.string()) });

/**
 * Checks that the stack responds and that the demo user has all roles that a replay needs.
 * @throws DemoFileError, UnreachableError
 */
async function assertReady({ baseUrl, userKey, listing }: Setting, retryForMs = FIRST_ANSWER_WITHIN_MS): Promise<void> {
  const api = new Api({ baseUrl, key: userKey, retryForMs });
  try {
    const { salesChannelId, roles } = await api.get('/user-services/users/me/saleschannel-binding', bindingSchema);
    if (salesChannelId !== listing.salesChannelId)
      throw new DemoFileError('the first user belongs to another sales channel than in the demo file');
    const missing = NEEDED_ROLES.filter((role) => !roles.includes(role));
    if (missing.length > 0) throw new DemoFileError(`the first user of the sales channel lacks ${missing.join(', ')}`);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new DemoFileError(`the API key of the demo file does not work here: ${error.message}`, { cause: error });
  } finally {
    await api.close();
  }
}

export interface ReplayOptions extends RunOptions {
  /** Path of the CSV file. */
  readonly file: string;
  readonly demo: Demo;
  /** How long to wait for the first response of the stack. Default 5 seconds. */
  readonly firstAnswerWithinMs?: number;
}

/**
 * Replays a registry's records through the public APIs of a running stack. Repeating it with the same file changes
 * nothing.
 * @throws FileError, DemoFileError, or UnreachableError if the stack never responds
 */
export async function replay({ file, demo, firstAnswerWithinMs, ...options }: ReplayOptions): Promise<Report> {
  const started = performance.now();
  const { rows, bad } = await readFile(file);
  const setting = selectSetting(demo);
  const { batches, bad: contradicting } = groupBatches(rows);
  const plan = createPlan(batches, setting.listing);
  const hasWork = plan.issuances.length > 0;
  if (hasWork) await assertReady(setting, firstAnswerWithinMs);
  const result = hasWork ? await runPlan(plan, setting, options) : { tally: new Tally() };
  return createReport({
    file,
    salesChannelId: setting.listing.salesChannelId,
    plan,
    bad: [...bad, ...contradicting],
    ...result,
    elapsedMs: performance.now() - started,
  });
}
