import { MAX_PENDING } from '../domain/delivery.ts';
import { loadEndpoint, type EndpointState, type NextRun } from '../store/delivery-runs.ts';
import { sendBatch, type DeliveryContext, type DeliveryRun } from './attempts.ts';
import { emptyBatch, findDueBatch, readLogPage, readReplayPage, type Batch } from './batch.ts';
import { recordOutcome, summarizeAttempts } from './outcome.ts';

/** State of the endpoint after a run. */
export interface RunSummary extends NextRun {
  readonly positionMs: number | undefined;
  readonly isFailing: boolean;
  /** True if another run may find work at once. */
  readonly hasMore: boolean;
}

/**
 * Runs one delivery batch for an endpoint: due attempts, or else the next page of the log, or else of a replay. Results
 * and position are committed together. A process that dies before the commit sends the page again, so that messages
 * arrive at least once and none is skipped.
 *
 * @returns undefined once the lease has ended
 */
export async function runDelivery(context: DeliveryContext, run: DeliveryRun): Promise<RunSummary | undefined> {
  const { database, clock } = context;
  const endpoint = await loadEndpoint(database.em(), run.lease, clock.now().toISOString());
  if (!endpoint) return undefined;
  const batch = await nextBatch(context, endpoint, run);
  const { attempts, tried } = await sendBatch(context, endpoint, run, batch.deliveries);
  const { ordered, failingSince } = endpoint;
  const progress = batch.progressAfter(tried);
  const result = { ...summarizeAttempts(attempts, { ordered, failingSince, random: context.random }), ...progress };
  const next = await recordOutcome(context, endpoint, run.lease, result);
  if (!next) return undefined;
  const position = progress.position ?? endpoint.position;
  const isCut = tried < batch.deliveries.length;
  return {
    ...next,
    positionMs: position ? Date.parse(position.createdAt) : undefined,
    isFailing: (result.failingSince === undefined ? failingSince : result.failingSince) !== null,
    // A replay requested during this run has not been read yet.
    hasMore: isCut || batch.hasMore || (next.hasReplay && !next.isBlocked),
  };
}

/** Due attempts come first. Waiting ones hold up the log: any of an ordered endpoint, a full backlog of another. */
async function nextBatch(context: DeliveryContext, endpoint: EndpointState, run: DeliveryRun): Promise<Batch> {
  const due = await findDueBatch(context, endpoint);
  if (due) return due;
  const isHeldUp = endpoint.ordered ? endpoint.pending > 0 : endpoint.pending >= MAX_PENDING;
  if (endpoint.status !== 'ENABLED' || isHeldUp) return emptyBatch;
  const page = run.hasEvents ? await readLogPage(context, endpoint) : undefined;
  return page ?? (await readReplayPage(context, endpoint)) ?? emptyBatch;
}
