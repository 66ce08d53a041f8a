import { accountOf, type Account } from './account.ts';
import { Api, Refused, RETRY_FOR_MS, Unreachable } from './api/client.ts';
import { ImportFailed, importRecords, type ImportFailure } from './api/import.ts';
import { readTotals } from './api/totals.ts';
import { settingOf, UnusableDemo, type Demo, type Setting } from './demo.ts';
import { batchesOf } from './file/batches.ts';
import { readFile } from './file/read-file.ts';
import { planOf, type Plan } from './plan/plan.ts';
import { leaveOut, runAll, Tally } from './run.ts';

export const CONCURRENCY = 8;
const NEEDED_ROLES = ['ASSET_VIEWER', 'ASSET_OFFRAMPER', 'TRANSACTION_ADMINISTRATOR'];
/** A stack that is not running is told at once, not after the time that a restart may take. */
const FIRST_ANSWER_WITHIN_MS = 5_000;

/** Where a replay stands. */
export interface ReplayProgress {
  readonly phase: 'import' | 'transfers' | 'totals';
  readonly done: number;
  readonly total: number;
  /** What the last request met, if it has to be repeated. */
  readonly trouble?: string;
}

export interface ReplayOptions {
  /** Path of the CSV file. */
  readonly file: string;
  readonly demo: Demo;
  /** Issuances worked on at a time. */
  readonly concurrency?: number;
  /** How long each request is repeated while nobody can answer it. */
  readonly retryForMs?: number;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

/** @throws UnusableDemo, Unreachable */
async function assertReady(setting: Setting): Promise<void> {
  const { baseUrl, user } = setting;
  const api = new Api({
    baseUrl,
    username: user.apiKeyId,
    password: user.passphrase,
    retryForMs: FIRST_ANSWER_WITHIN_MS,
  });
  try {
    const binding = await api.get<{ salesChannelId: string; roles: string[] }>(
      '/user-services/users/me/saleschannel-binding',
    );
    if (binding.salesChannelId !== setting.salesChannelId)
      throw new UnusableDemo('the first user is bound to another sales channel than the demo file says');
    const missing = NEEDED_ROLES.filter((role) => !binding.roles.includes(role));
    if (missing.length > 0) throw new UnusableDemo(`the first user of the sales channel lacks ${missing.join(', ')}`);
  } catch (error) {
    if (error instanceof Refused)
      throw new UnusableDemo(`the API key of the demo file does not work here: ${error.message}`, { cause: error });
    throw error;
  } finally {
    await api.close();
  }
}

/** One replay over a running stack. */
class Replay {
  readonly tally = new Tally();
  /** Why it ended early. */
  stopped: string | undefined;
  ledger: Account['ledger'] = null;
  readonly #plan: Plan;
  readonly #setting: Setting;
  readonly #options: ReplayOptions;
  readonly #channel: Api;
  readonly #registry: Api;
  #progress: ReplayProgress = { phase: 'import', done: 0, total: 0 };

  constructor(plan: Plan, setting: Setting, options: ReplayOptions) {
    this.#plan = plan;
    this.#setting = setting;
    this.#options = options;
    const { baseUrl, registryBaseUrl, user, registryKey } = setting;
    const common = {
      retryForMs: options.retryForMs ?? RETRY_FOR_MS,
      onRetry: (trouble: string) => options.onProgress?.({ ...this.#progress, trouble }),
    };
    this.#channel = new Api({ ...common, baseUrl, username: user.apiKeyId, password: user.passphrase });
    this.#registry = new Api({
      ...common,
      baseUrl: registryBaseUrl,
      username: registryKey.apiKey,
      password: registryKey.apiSecret,
    });
  }

  async run(): Promise<void> {
    try {
      const issuances = await this.#import();
      this.stopped = await this.#transfer(issuances);
      if (this.stopped !== undefined) return;
      this.#report({ phase: 'totals', done: 0, total: 1 });
      this.ledger = await readTotals(this.#channel, this.#plan.issuances, this.#setting.traders);
    } catch (error) {
      this.stopped = stopReason(error);
    } finally {
      await Promise.all([this.#channel.close(), this.#registry.close()]);
    }
  }

  /** The issuances that are in the ledger then. */
  async #import(): Promise<Plan['issuances']> {
    const { records, issuances } = this.#plan;
    try {
      const failures = await importRecords(this.#registry, records, (done) =>
        this.#report({ phase: 'import', done, total: records.length }),
      );
      const failed = this.#blame(failures);
      return issuances.filter(({ issuanceId }) => !failed.has(issuanceId));
    } catch (error) {
      leaveOut(
        issuances.flatMap(({ batch }) => batch.rows),
        this.tally,
        `not tried: the import did not end well (${stopReason(error)})`,
      );
      throw error;
    }
  }

  /** Names the rows of what was refused. */
  #blame(failures: readonly ImportFailure[]): Set<string> {
    for (const { record, code, detail } of failures) {
      const hint = code.startsWith('contradict') ? ' The rows of this batch have changed since an earlier replay.' : '';
      for (const line of record.lines) this.tally.blame(line, `${record.name} was not imported: ${detail}${hint}`);
    }
    return new Set(failures.flatMap(({ record }) => record.issuanceId ?? []));
  }

  #transfer(issuances: Plan['issuances']): Promise<string | undefined> {
    const { trader, secondTrader } = this.#setting;
    const total = issuances.reduce((sum, { steps }) => sum + steps.length, 0);
    let done = 0;
    return runAll(issuances, {
      api: this.#channel,
      parties: { sellerId: trader.id, buyerId: secondTrader.id },
      concurrency: this.#options.concurrency ?? CONCURRENCY,
      tally: this.tally,
      onStep: () => this.#report({ phase: 'transfers', done: ++done, total }),
    });
  }

  #report(progress: ReplayProgress): void {
    this.#progress = progress;
    this.#options.onProgress?.(progress);
  }
}

/** What ends a replay early is part of its account; a fault of this program is not. */
function stopReason(error: unknown): string {
  if (error instanceof Unreachable || error instanceof Refused || error instanceof ImportFailed) return error.message;
  throw error;
}

/**
 * Replays a registry's records through the public APIs of a running stack. A second run over the same file has no second effect.
 * @throws UnreadableFile, UnusableDemo, and Unreachable when nothing answers from the start
 */
export async function replay(options: ReplayOptions): Promise<Account> {
  const started = performance.now();
  const { rows, bad } = await readFile(options.file);
  const setting = settingOf(options.demo);
  const badLines = [...bad];
  const batches = batchesOf(rows, (line, reason) => badLines.push({ line, reason }));
  const plan = planOf(batches, { accountHolderId: setting.accountHolderId, salesChannelId: setting.salesChannelId });
  const run = new Replay(plan, setting, options);
  if (plan.issuances.length > 0) {
    await assertReady(setting);
    await run.run();
  }
  const { tally, stopped, ledger } = run;
  const { salesChannelId } = setting;
  return accountOf({
    file: options.file,
    salesChannelId,
    plan,
    bad: badLines,
    tally,
    stopped,
    ledger,
    elapsedMs: performance.now() - started,
  });
}
