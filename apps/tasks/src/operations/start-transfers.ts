import { DomainError, internal } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { acceptTransfers } from './accept-transfers.ts';
import { tooManyWaiting } from './admission.ts';
import { admitTransfer, type AdmittedTransfer, type IncomingTransfer } from './admit-transfer.ts';
import { attempt, attemptAll } from './attempt.ts';
import { checkTransfers } from './check-transfers.ts';
import { findReplays, type Started } from './find-replays.ts';
import { LeaseEnded } from './within-lease.ts';

/**
 * Kept back from the time of the call, in milliseconds. When a service that is asked does not answer, the transfers
 * that do not need it still get their results.
 */
const ANSWER_MS = 500;

/**
 * Starts transfers. Each is checked on its own in the order of the public API: credentials, role, form, trader,
 * meaning. All that pass become tasks in one transaction. A refused transfer does not use up its key. Results are
 * in the order of the requests.
 */
export async function startTransfers(
  context: Context,
  requests: readonly IncomingTransfer[],
  call: Call,
): Promise<(Started | DomainError)[]> {
  const within = { ...call, deadline: call.deadline - ANSWER_MS };
  const admitted = await Promise.all(
    requests.map((request) => attempt(() => admitTransfer(context.verifier, request))),
  );
  return attemptAll(admitted, (transfers) => startAdmitted(context, transfers, within));
}

/** While too many tasks wait for the ledger, only those who already have a task are answered with it. */
async function startAdmitted(
  context: Context,
  transfers: readonly AdmittedTransfer[],
  within: Call,
): Promise<(Started | DomainError)[]> {
  const { letIn, release } = await context.admission.reserve(context.database, transfers);
  try {
    const turnedAway = transfers.filter((transfer) => !letIn.has(transfer));
    const replays = await findReplays(context.database, turnedAway);
    const admitted = transfers.map((transfer) => (letIn.has(transfer) ? transfer : tooManyWaiting()));
    const started = await attemptAll(admitted, (open) => startLetIn(context, open, within));
    return transfers.map((transfer, index) => replays.get(transfer) ?? started[index] ?? internal());
  } finally {
    release();
  }
}

/** Asks again, and judges again, those whose account holders might have changed before the commit. */
async function startLetIn(
  context: Context,
  transfers: readonly AdmittedTransfer[],
  within: Call,
): Promise<(Started | DomainError)[]> {
  const started = await startOnce(context, transfers, within);
  const late = transfers.filter((_transfer, index) => started[index] instanceof LeaseEnded);
  if (late.length === 0 || Date.now() >= within.deadline) return started;
  const again = (await startLetIn(context, late, within)).values();
  return started.map((result) => (result instanceof LeaseEnded ? (again.next().value ?? internal()) : result));
}

async function startOnce(
  context: Context,
  transfers: readonly AdmittedTransfer[],
  within: Call,
): Promise<(Started | DomainError)[]> {
  const checked = await checkTransfers(context, transfers, within);
  // What cannot be carried out any more may be the repetition of a request that was. Then its task is the answer.
  const refused = transfers.filter((_transfer, index) => isRefusal(checked[index]));
  const replays = await findReplays(context.database, refused);
  const accepted = await attemptAll(checked, (open) => acceptTransfers(context, open));
  return accepted.map((result, index) => {
    const transfer = transfers[index];
    return (transfer && replays.get(transfer)) ?? result;
  });
}

const isRefusal = (result: unknown): boolean => result instanceof DomainError && result.code === 'request-refused';
