import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../workload/journal.ts';
import type { Answers, ChannelAnswers, Range, Transaction } from './answers.ts';
import {
  listDecisions,
  findBaseline,
  describeCall,
  isSuccess,
  listKnownAttempts,
  type Call,
  type Findings,
} from './findings.ts';
import { parseSerials } from './ledger.ts';

const TYPES: Readonly<Record<string, string>> = { trade: 'TRADE', retire: 'RETIREMENT', offramp: 'OFFRAMP' };

const CREATED = 201;

interface TransferBody {
  readonly buyerId?: string;
  readonly assets: readonly Range[];
}

/** Id of the object that a request created. */
function readIdentity(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { taskId, importId, accountHolderId, issuanceId, transactionId, id } = body as Record<string, unknown>;
  const found = id ?? taskId ?? importId ?? issuanceId ?? transactionId ?? accountHolderId;
  return typeof found === 'string' ? found : undefined;
}

/** Checks that the contract allows every answer, and that all answers to one key are equal. */
export function checkAnswers(calls: readonly Call[], findings: Findings): void {
  for (const call of calls) {
    if (!call.outcome) {
      findings.lost.push(`The outcome of ${describeCall(call)} remained unknown.`);
      continue;
    }
    for (const { status, reason } of listKnownAttempts(call)) {
      if (call.expected.includes(status)) continue;
      const why = reason === undefined ? '.' : `: ${reason}`;
      findings.wrong.push(`${describeCall(call)} answered ${status}, not ${call.expected.join(' or ')}${why}`);
    }
  }
  const keyed = Map.groupBy(
    calls.filter(({ key }) => key !== undefined),
    ({ key, path }) => `${key} ${path}`,
  );
  for (const group of keyed.values()) checkRepeats(group, findings);
}

/** Requests with one key are repeats unless their bodies differ. */
function checkRepeats(group: readonly Call[], findings: Findings): void {
  const [first] = group;
  if (!first) return;
  const attempts = group.filter(({ body }) => isDeepStrictEqual(body, first.body)).flatMap(listKnownAttempts);
  const successes = attempts.filter(isSuccess);
  const made = new Set(successes.map(({ body }) => readIdentity(body)));
  if (made.size > 1) findings.doubled.push(`${describeCall(first)} made ${[...made].join(' and ')} with one key.`);
  const madeAt = Math.min(...successes.map(({ at }) => at));
  // A rejected request does not use up its key, so a rejection may precede the success.
  const refused = attempts.find((attempt) => !isSuccess(attempt) && attempt.sentAt > madeAt);
  if (refused)
    findings.doubled.push(`${describeCall(first)} was accepted, and then answered ${refused.status} with its key.`);
}

/** Checks that every accepted transfer has one task with one end and one transaction, and that nothing else moved. */
export function checkTransfers(
  calls: readonly Call[],
  answers: Answers,
  entries: readonly Entry[],
  findings: Findings,
) {
  const registered = Map.groupBy(answers.transactions, ({ transactionId }) => transactionId);
  for (const channel of answers.channels) {
    const own = calls.filter(
      ({ actor, path, method }) => actor === channel.id && method === 'POST' && isTransfer(path),
    );
    const byKey = Map.groupBy(channel.tasks, ({ idempotencyKey }) => idempotencyKey);
    const transactions = Map.groupBy(channel.transactions, ({ id }) => id);
    const transfers = Map.groupBy(own, ({ key }) => String(key));
    for (const [key, requests] of transfers) {
      const [first] = requests;
      if (first) checkTransfer(first, requests, byKey.get(key) ?? [], transactions, findings);
    }
    checkOrigins(channel, new Set(transfers.keys()), findBaseline(entries, channel.id), findings);
    for (const { id, status } of channel.transactions) {
      const others = registered.get(id) ?? [];
      if (others.length !== 1 || others[0]?.status !== status)
        findings.wrong.push(
          `Transaction ${id} is ${status}, but the registry has ${others.map((o) => o.status).join()}.`,
        );
    }
  }
}

const isTransfer = (path: string): boolean => /\/inventory\/(?:trade|retire|offramp)$/.test(path);

function checkTransfer(
  call: Call,
  requests: readonly Call[],
  tasks: ChannelAnswers['tasks'],
  transactions: ReadonlyMap<string, readonly Transaction[]>,
  findings: Findings,
): void {
  const accepted = requests.flatMap(listKnownAttempts).filter(isSuccess);
  const what = describeCall(call);
  const [task] = tasks;
  if (tasks.length > 1) findings.doubled.push(`${what} has ${tasks.length} tasks.`);
  if (accepted.length === 0) {
    // The unanswered attempt may have succeeded after another one was rejected. Then it must have ended.
    const isCertain =
      requests.flatMap(({ attempts }) => attempts).length === requests.flatMap(listKnownAttempts).length;
    if (!task) return;
    if (isCertain || !call.expected.includes(CREATED))
      return void findings.wrong.push(`${what} was rejected, but has task ${task.taskId}.`);
  }
  if (!task) return void findings.lost.push(`${what} was accepted, but has no task.`);
  const transactionId = task.responsePayload.id;
  const { end } = call;
  if (end && (end.status !== task.status || end.id !== transactionId))
    findings.doubled.push(`${what} ended ${end.status} (${end.id}), and then ${task.status} (${transactionId}).`);
  if (task.status === 'PENDING') return void findings.lost.push(`${what} was accepted, but never ended.`);
  const made = transactionId === undefined ? [] : (transactions.get(transactionId) ?? []);
  const [transaction] = made;
  if (made.length > 1) findings.doubled.push(`${what} has transaction ${transactionId} ${made.length} times.`);
  if (!transaction) {
    if (task.status !== 'FAILED') findings.lost.push(`${what} is ${task.status}, but has no transaction.`);
    return;
  }
  if (transaction.status !== task.status)
    findings.wrong.push(`${what} is ${task.status}, but its transaction ${transactionId} is ${transaction.status}.`);
  checkMoved(call, transaction, findings);
}

/** Compares the certificates of a request with those that its transaction moved. */
function checkMoved(call: Call, transaction: Transaction, findings: Findings): void {
  const { assets, buyerId = null } = call.body as TransferBody;
  const [, sellerId, kind = ''] = /\/traders\/([^/]+)\/inventory\/(\w+)$/.exec(call.path) ?? [];
  const isSame =
    transaction.type === TYPES[kind] &&
    transaction.sellerId === sellerId &&
    transaction.buyerId === buyerId &&
    isDeepStrictEqual(mergeRanges(assets), mergeRanges(transaction.assets));
  if (!isSame) findings.wrong.push(`${describeCall(call)} requested other certificates than ${transaction.id} moved.`);
}

/** Merges adjacent ranges. */
function mergeRanges(ranges: readonly Range[]): { issuanceId: string; first: bigint; last: bigint }[] {
  const sorted = ranges
    .map(parseSerials)
    .toSorted((a, b) => a.issuanceId.localeCompare(b.issuanceId) || (a.first < b.first ? -1 : 1));
  const merged: { issuanceId: string; first: bigint; last: bigint }[] = [];
  for (const { issuanceId, first, last } of sorted) {
    const before = merged.at(-1);
    if (before?.issuanceId === issuanceId && before.last + 1n === first) before.last = last;
    else merged.push({ issuanceId, first, last });
  }
  return merged;
}

/** Checks that every task comes from a request, every transaction from one task, and that every end has one event. */
function checkOrigins(
  { tasks, transactions, events }: ChannelAnswers,
  keys: ReadonlySet<string>,
  baseline: { readonly tasks: readonly string[]; readonly transactions: readonly string[] },
  findings: Findings,
): void {
  const known = new Set([...baseline.tasks, ...baseline.transactions]);
  for (const { taskId, idempotencyKey } of tasks)
    if (!known.has(taskId) && !keys.has(idempotencyKey)) findings.wrong.push(`No request created task ${taskId}.`);
  const makers = Map.groupBy(tasks, ({ responsePayload }) => responsePayload.id);
  const eventsByTransaction = Map.groupBy(events, ({ payload }) =>
    payload.status === 'PENDING' ? undefined : payload.transactionId,
  );
  for (const { id, status } of transactions) {
    if (known.has(id)) continue;
    const count = makers.get(id)?.length ?? 0;
    if (count > 1) findings.doubled.push(`Transaction ${id} belongs to ${count} tasks.`);
    if (count === 0) findings.wrong.push(`Transaction ${id} belongs to no task.`);
    const ends = eventsByTransaction.get(id) ?? [];
    if (status === 'PENDING') continue;
    if (ends.length === 0) findings.lost.push(`The end of transaction ${id} is not in the log.`);
    if (ends.length > 1) findings.doubled.push(`The end of transaction ${id} is in the log ${ends.length} times.`);
    const [end] = ends;
    if (end && end.payload.status !== status)
      findings.wrong.push(`Transaction ${id} is ${status}, but the log says ${end.payload.status}.`);
  }
  const all = new Set(transactions.map(({ id }) => id));
  for (const { id, payload } of events)
    if (!all.has(payload.transactionId)) findings.wrong.push(`Event ${id} is about a transaction that does not exist.`);
}

/**
 * Checks that transactions follow the clients' decisions, that none succeeds without one while the account holder
 * approves manually, and that none is accepted while it is suspended.
 */
export function checkDecisions(
  calls: readonly Call[],
  answers: Answers,
  entries: readonly Entry[],
  findings: Findings,
) {
  const decisions = listDecisions(calls);
  const status = new Map(answers.transactions.map((each) => [each.transactionId, each.status]));
  for (const { call, transactionId } of decisions) {
    const expectedStatus = call.kind === 'approve' ? 'SUCCESS' : 'REJECTED';
    const isDone = call.outcome !== undefined && isSuccess(call.outcome);
    if (isDone && status.get(transactionId) !== expectedStatus)
      findings.wrong.push(`${describeCall(call)} was answered, but ${transactionId} is ${status.get(transactionId)}.`);
  }
  const approved = new Set(
    decisions.filter(({ call }) => call.kind === 'approve').map(({ transactionId }) => transactionId),
  );
  const tasks = new Map(
    answers.channels.flatMap((channel) => channel.tasks.map((t) => [t.idempotencyKey, t] as const)),
  );
  for (const time of entries) {
    if (time.type !== 'approval' && time.type !== 'suspension') continue;
    for (const call of calls) {
      const { buyerId } = (call.body ?? {}) as Partial<TransferBody>;
      const isSold = call.path.includes(`/traders/${time.traderId}/`);
      const isMeant = TYPES[call.kind] !== undefined && call.attempts.every(({ sentAt }) => sentAt > time.fromMs);
      if (!isMeant || !call.outcome) continue;
      const isAccepted = isSuccess(call.outcome) && call.outcome.at < time.at;
      if (time.type === 'suspension' && isAccepted && (isSold || buyerId === time.traderId))
        findings.wrong.push(`${describeCall(call)} was accepted while one of its account holders was suspended.`);
      const hasEnded = call.end !== undefined && call.end.at < time.at;
      const id = hasEnded ? tasks.get(String(call.key))?.responsePayload.id : undefined;
      const isMoved = id !== undefined && status.get(id) === 'SUCCESS' && !approved.has(id);
      if (time.type === 'approval' && isSold && isMoved)
        findings.wrong.push(`${describeCall(call)} succeeded as ${id} without the required approval.`);
    }
  }
}
