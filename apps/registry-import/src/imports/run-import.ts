import { serviceActor } from '@saleschannel/audit';
import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import { yieldTurn, type ImportRun, type Lease } from '../store/import-leases.ts';
import { commitFileBatch, commitPassBatch, listWaiting, startPass } from '../store/import-runs.ts';
import { applyLines, LeaseLost } from './apply-lines.ts';
import { endImport } from './end-import.ts';
import { readBatches } from './read-file.ts';

const LINES_PER_PASS_BATCH = 2_000;
/** Turn of one account holder while others wait. */
const LINES_PER_TURN = 5_000;

/**
 * Continues an import to its end, or to the end of its turn. Each batch is applied, then recorded. After a crash at
 * most one batch is applied again, without effect, because records have natural keys. An ended lease applies nothing:
 * transactions here check it, and the ledger refuses all but the newest number.
 * @returns true if the import has ended
 * @throws UnreadableFile
 * @throws LeaseLost
 * @throws DomainError if a service cannot be reached
 */
export async function runImport(context: Context, run: ImportRun, lease: Lease, signal: AbortSignal): Promise<boolean> {
  const commit = async (write: (em: EntityManager) => Promise<boolean>): Promise<void> => {
    signal.throwIfAborted();
    if (!(await context.database.transaction(write))) throw new LeaseLost('The lease has ended.');
  };
  const { errorsStored } = context.quotas;
  const work = { lease, holder: run.holder, actor: run.actor ?? serviceActor('registry-import') };
  let turnLines = 0;
  const isTurnOver = async (lines: number): Promise<boolean> => {
    turnLines += lines;
    return turnLines >= LINES_PER_TURN && yieldTurn(context.database.em(), lease);
  };
  if (run.pass === 0) {
    for await (const { lines, ...position } of readBatches(context.database, run)) {
      const outcomes = await applyLines(context, lines, work, signal);
      await commit((em) => commitFileBatch(em, lease, { ...outcomes, ...position, read: lines.length }, errorsStored));
      if (await isTurnOver(lines.length)) return false;
    }
    await commit((em) => startPass(em, lease));
  }
  let { passLine, passHasProgress: hasProgress } = run;
  for (;;) {
    const waiting = await listWaiting(context.database.em(), run.id, passLine, LINES_PER_PASS_BATCH);
    const last = waiting.at(-1);
    if (last) {
      const lines = waiting.map(({ line, record }) => ({ line, read: record }));
      const outcomes = await applyLines(context, lines, work, signal);
      await commit((em) => commitPassBatch(em, lease, { ...outcomes, lastLine: last.line }, errorsStored));
      passLine = String(last.line);
      hasProgress ||= outcomes.applied.length > 0;
      if (await isTurnOver(lines.length)) return false;
    } else if (hasProgress) {
      await commit((em) => startPass(em, lease));
      passLine = '0';
      hasProgress = false;
    } else {
      await commit((em) => endImport(em, lease, 'COMPLETED', errorsStored));
      return true;
    }
  }
}
