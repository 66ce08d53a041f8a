import { serviceActor } from '@saleschannel/audit';
import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import {
  commitFileBatch,
  commitPassBatch,
  listWaiting,
  startPass,
  type ImportRun,
  type Lease,
} from '../store/import-runs.ts';
import { applyLines } from './apply-lines.ts';
import { endImport } from './end-import.ts';
import { LeaseLost } from './lease-lost.ts';
import { readBatches } from './read-file.ts';

const LINES_PER_PASS_BATCH = 2_000;

/**
 * Takes an import from where it stands to its end. Each batch is applied first and recorded afterwards. Whoever goes on
 * after a crash applies at most one batch again, and every record of it is known by its natural key. Nothing is applied
 * under a lease that is over: what is stored here asks for the lease in its transaction, and the ledger knows the
 * number of the newest one.
 * @throws UnreadableFile
 * @throws LeaseLost
 * @throws DomainError when a service that it needs cannot be reached
 */
export async function runImport(context: Context, run: ImportRun, lease: Lease, signal: AbortSignal): Promise<void> {
  const commit = async (work: (em: EntityManager) => Promise<boolean>): Promise<void> => {
    signal.throwIfAborted();
    if (!(await context.database.transaction(work))) throw new LeaseLost('the lease is over');
  };
  const { errorsStored } = context.quotas;
  const work = { lease, actor: run.actor ?? serviceActor('registry-import') };
  if (run.pass === 0) {
    for await (const { lines, ...position } of readBatches(context.database, run)) {
      const outcomes = await applyLines(context, lines, work, signal);
      await commit((em) => commitFileBatch(em, lease, { ...outcomes, ...position, read: lines.length }, errorsStored));
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
    } else if (hasProgress) {
      await commit((em) => startPass(em, lease));
      passLine = '0';
      hasProgress = false;
    } else {
      return commit((em) => endImport(em, lease, 'COMPLETED', errorsStored));
    }
  }
}
