import { DomainError, internal } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { acceptTransfers, findReplays, type StartedTask, LeaseEnded } from './accept-transfers.ts';
import { refuseTooManyWaiting } from './admission.ts';
import { attempt, attemptAll } from './attempt.ts';
import {
  authorizeTransfer,
  type AuthorizedTransfer,
  type IncomingTransfer,
  checkTransfers,
} from './check-transfers.ts';

/**
 * Reserved from the call's deadline: if another service does not answer, the transfers that do not need it still get
 * their results.
 */
const ANSWER_MS = 500;

/**
 * Starts transfers. Each is checked separately, in the order of the public API: credentials, role, form, trader,
 * meaning. All that pass become tasks in one transaction. A refused transfer does not use its key. Results are in the
 * order of the requests.
 */
export async function startTransfers(
  context: Context,
  requests: readonly IncomingTransfer[],
  call: Call,
): Promise<(StartedTask | DomainError)[]> {
  const within = { ...call, deadline: call.deadline - ANSWER_MS };
  const authorized = await Promise.all(
    requests.map((request) => attempt(() => authorizeTransfer(context.verifier, request))),
  );
  return attemptAll(authorized, (transfers) => startAuthorized(context, transfers, within));
}

/** While too many tasks wait for the ledger, only transfers that already have a task get it as a result. */
async function startAuthorized(
  context: Context,
  transfers: readonly AuthorizedTransfer[],
  within: Call,
): Promise<(StartedTask | DomainError)[]> {
  const { admitted, release } = await context.admission.reserve(context.database, transfers);
  try {
    const refused = transfers.filter((transfer) => !admitted.has(transfer));
    const replays = await findReplays(context.database, refused);
    const candidates = transfers.map((transfer) => (admitted.has(transfer) ? transfer : refuseTooManyWaiting()));
    const started = await attemptAll(candidates, (open) => startAdmitted(context, open, within));
    return transfers.map((transfer, index) => replays.get(transfer) ?? started[index] ?? internal());
  } finally {
    release();
  }
}

/** Checks transfers again if the lease of their account holders ended before the commit. */
async function startAdmitted(
  context: Context,
  transfers: readonly AuthorizedTransfer[],
  within: Call,
): Promise<(StartedTask | DomainError)[]> {
  const started = await startOnce(context, transfers, within);
  const late = transfers.filter((_transfer, index) => started[index] instanceof LeaseEnded);
  if (late.length === 0 || Date.now() >= within.deadline) return started;
  const retried = (await startAdmitted(context, late, within)).values();
  return started.map((result) => (result instanceof LeaseEnded ? (retried.next().value ?? internal()) : result));
}

async function startOnce(
  context: Context,
  transfers: readonly AuthorizedTransfer[],
  within: Call,
): Promise<(StartedTask | DomainError)[]> {
  const checked = await checkTransfers(context, transfers, within);
  // A refused transfer may be a retry of one that succeeded. Then its task is the result.
  const refused = transfers.filter((_transfer, index) => isRefusal(checked[index]));
  const replays = await findReplays(context.database, refused);
  const accepted = await attemptAll(checked, (open) => acceptTransfers(context, open));
  return accepted.map((result, index) => {
    const transfer = transfers[index];
    return (transfer && replays.get(transfer)) ?? result;
  });
}

const isRefusal = (result: unknown): boolean => result instanceof DomainError && result.code === 'request-refused';
