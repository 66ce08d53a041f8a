import { Api, RefusedError, RETRY_FOR_MS, UnreachableError } from '../api/client.ts';
import { ImportFailedError, importRecords, type ImportFailure } from '../api/import.ts';
import { readTotals, type LedgerTotals } from '../api/totals.ts';
import type { Setting } from '../demo.ts';
import type { Plan } from '../plan/plan.ts';
import type { Progress } from '../progress.ts';
import { executeSteps, Tally } from './transfers.ts';

/** Error code for a record that exists with other content. */
const CONTRADICTS_STORED = 'contradicts-stored';
export const DEFAULT_CONCURRENCY = 8;

export interface RunOptions {
  /** Issuances processed concurrently. Default 8. */
  readonly concurrency?: number;
  /** How long each request is retried while the service is unavailable. Default one minute. */
  readonly retryForMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Result of running a plan. */
export interface RunResult {
  readonly tally: Tally;
  /** Undefined if the run ended before reading the ledger. */
  readonly ledger?: LedgerTotals;
  /** Reason of an early end, if any. */
  readonly stopped?: string;
}

/** Runs a plan: import, transfers, comparison of totals. */
export async function runPlan(plan: Plan, setting: Setting, options: RunOptions): Promise<RunResult> {
  const run = new Run(plan, setting, options);
  try {
    return await run.run();
  } finally {
    await run.close();
  }
}

class Run {
  readonly #tally = new Tally();
  readonly #plan: Plan;
  readonly #setting: Setting;
  readonly #options: RunOptions;
  readonly #channel: Api;
  readonly #registry: Api;
  #progress: Progress = { phase: 'import', done: 0, total: 0 };

  constructor(plan: Plan, setting: Setting, options: RunOptions) {
    this.#plan = plan;
    this.#setting = setting;
    this.#options = options;
    const common = {
      retryForMs: options.retryForMs ?? RETRY_FOR_MS,
      onRetry: (retryReason: string) => options.onProgress?.({ ...this.#progress, retryReason }),
    };
    this.#channel = new Api({ ...common, baseUrl: setting.baseUrl, key: setting.userKey });
    this.#registry = new Api({ ...common, baseUrl: setting.registryBaseUrl, key: setting.registryKey });
  }

  async run(): Promise<RunResult> {
    const tally = this.#tally;
    try {
      const imported = await this.#import();
      const stopped = await this.#transfer(imported);
      if (stopped !== undefined) return { tally, stopped };
      this.#report({ phase: 'totals', done: 0, total: 1 });
      return { tally, ledger: await readTotals(this.#channel, this.#plan.issuances, this.#setting.traderIds) };
    } catch (error) {
      return { tally, stopped: stopReason(error) };
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#channel.close(), this.#registry.close()]);
  }

  /** Imports all records. Returns the issuances in the ledger afterwards. */
  async #import(): Promise<Plan['issuances']> {
    const { records, issuances } = this.#plan;
    const total = records.length;
    try {
      const failures = await importRecords(this.#registry, records, (done) =>
        this.#report({ phase: 'import', done, total }),
      );
      for (const failure of failures) this.#addProblems(failure);
      const failed = new Set(failures.map(({ record }) => record.issuanceId));
      return issuances.filter(({ issuanceId }) => !failed.has(issuanceId));
    } catch (error) {
      const rows = issuances.flatMap(({ batch }) => batch.rows);
      this.#tally.skipRows(rows, `skipped: the import failed (${stopReason(error)})`);
      throw error;
    }
  }

  /** Reports the rows of a refused record. */
  #addProblems({ record, code, detail }: ImportFailure): void {
    const hint = code === CONTRADICTS_STORED ? ' The rows of this batch have changed since an earlier replay.' : '';
    for (const line of record.lines) this.#tally.addProblem(line, `${record.name} was not imported: ${detail}${hint}`);
  }

  #transfer(issuances: Plan['issuances']): Promise<string | undefined> {
    const total = issuances.reduce((sum, { steps }) => sum + steps.length, 0);
    let done = 0;
    return executeSteps(issuances, {
      api: this.#channel,
      parties: this.#setting.parties,
      concurrency: this.#options.concurrency ?? DEFAULT_CONCURRENCY,
      tally: this.#tally,
      onStep: () => this.#report({ phase: 'transfers', done: ++done, total }),
    });
  }

  #report(progress: Progress): void {
    this.#progress = progress;
    this.#options.onProgress?.(progress);
  }
}

/** Errors that end a replay early are part of its report. @throws any other error, which is a bug */
function stopReason(error: unknown): string {
  if (error instanceof UnreachableError || error instanceof RefusedError || error instanceof ImportFailedError)
    return error.message;
  throw error;
}
