import type { EntityManager } from '@saleschannel/database';
import type { Context } from '../context.ts';
import type { ImportRecord } from '../domain/import-record.ts';
import {
  commitFileBatch,
  commitPassBatch,
  finishImport,
  listWaiting,
  startPass,
  type ImportRun,
  type Lease,
  type WaitingLine,
} from '../store/import-runs.ts';
import type { LineError } from '../store/imports.ts';
import { applyBatch, type Outcome } from './apply-batch.ts';
import { readBatches, type FileLine } from './read-file.ts';

const LINES_PER_PASS_BATCH = 200;

/** Another replica works on the import: this one must leave it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/**
 * Takes an import from where it stands to its end. Each batch is applied first and recorded afterwards: whoever goes on after a crash applies at most one
 * batch again, and every record of it is known by its natural key.
 * @throws UnreadableFile; LeaseLost; DomainError when a part that it needs cannot be reached
 */
export async function runImport(context: Context, run: ImportRun, lease: Lease, signal: AbortSignal): Promise<void> {
  const commit = async (work: (em: EntityManager) => Promise<boolean>): Promise<void> => {
    signal.throwIfAborted();
    if (!(await context.database.transaction(work))) throw new LeaseLost('the lease is over');
  };
  if (run.pass === 0) {
    for await (const { lines, ...position } of readBatches(context, run)) {
      const settled = await settle(context, lines, signal);
      await commit((em) =>
        commitFileBatch(em, lease, { ...settled, ...position, read: lines.length, applied: settled.applied.length }),
      );
    }
    await commit((em) => startPass(em, lease));
  }
  let passLine = run.passLine;
  let hasProgress = run.passApplied !== '0';
  for (;;) {
    const waiting = await listWaiting(context.database.em(), run.id, passLine, LINES_PER_PASS_BATCH);
    const last = waiting.at(-1);
    if (last) {
      const settled = await settle(
        context,
        waiting.map(({ line, record }) => ({ line, read: record })),
        signal,
      );
      await commit((em) => commitPassBatch(em, lease, { ...settled, lastLine: last.line }));
      passLine = String(last.line);
      hasProgress ||= settled.applied.length > 0;
    } else if (hasProgress) {
      await commit((em) => startPass(em, lease));
      passLine = '0';
      hasProgress = false;
    } else {
      return commit((em) => finishImport(em, lease, 'COMPLETED'));
    }
  }
}

interface Settled {
  readonly applied: number[];
  readonly errors: LineError[];
  readonly waiting: WaitingLine[];
}

async function settle(context: Context, lines: readonly FileLine[], signal: AbortSignal): Promise<Settled> {
  const settled: Settled = { applied: [], errors: [], waiting: [] };
  const records: { line: number; record: ImportRecord }[] = [];
  for (const { line, read } of lines) {
    if ('type' in read) records.push({ line, record: read });
    else settled.errors.push({ line, ...read });
  }
  const outcomes = await applyBatch(
    context,
    records.map(({ record }) => record),
    signal,
  );
  records.forEach(({ line, record }, index) => {
    const outcome = outcomes[index] as Outcome;
    if (outcome.kind === 'applied') settled.applied.push(line);
    else if (outcome.kind === 'failed') settled.errors.push({ line, ...outcome.failure });
    else settled.waiting.push({ line, record, ...outcome.failure });
  });
  return settled;
}
