import { audit, formatResult, toDatabaseUrls } from '@saleschannel/auditor';
import { AUDITOR } from '@saleschannel/installation';
import { connectReconciliation, type HttpClient, type Stack } from '@saleschannel/local';
import { createTradeClient, readLog, sendTrade, readTaskStatus, untilDone, type SentTrade } from './traffic.ts';

/** Time in which messages that are still in transit after a restore arrive. */
const QUIET_SECONDS = 15;
const GONE = 404;
const FOUND = 200;

/** State that clients find after a restore. */
export interface Aftermath {
  readonly acknowledged: number;
  /** Acknowledged, but unknown after the restore: their tasks answer 404. */
  readonly lost: readonly SentTrade[];
  /** Lost trades whose success the client had already read. */
  readonly lostKnownDone: number;
  /** Lost trades that a retry with the same Idempotency-Key created again. */
  readonly createdAgain: number;
  /** Trades that never got an answer, also sent again. */
  readonly unanswered: number;
  readonly eventsGone: number;
}

export interface KnownState {
  readonly trades: readonly SentTrade[];
  /** Events that the reader of each sales channel had read before. */
  readonly logs: ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly cursor: string | undefined }>;
}

/** Publishes the entries that the log and the tasks lack, and waits until they are applied. */
export async function reconcile(stack: Stack): Promise<void> {
  const reconciliation = await connectReconciliation(stack);
  try {
    await reconciliation.run({ salesChannelId: undefined, status: false, wait: true });
  } finally {
    reconciliation.close();
  }
}

/** @returns number of checks without findings. @throws Error that lists the findings */
export async function auditRestored({ place: { auditUrl, brokerUrlOf, namespace } }: Stack): Promise<number> {
  const broker = { url: brokerUrlOf(AUDITOR), namespace };
  const results = await audit(toDatabaseUrls(auditUrl), { quietSeconds: QUIET_SECONDS, broker });
  const found = results.filter(({ count }) => count > 0);
  if (found.length > 0) throw new Error(`The audit after the restore:\n${found.flatMap(formatResult).join('\n')}`);
  return results.length;
}

/**
 * Reads every acknowledged trade, then does what clients do: sends lost and unanswered trades again with the same
 * Idempotency-Key.
 * @param boundary trades acknowledged before it must exist
 * @param beyond trades sent after it must not exist. Undefined if that is not certain
 * @throws Error for a contradiction, or for a trade made twice
 */
export async function checkAftermath(
  stack: Stack,
  { trades, logs }: KnownState,
  boundary: Date,
  beyond?: Date,
): Promise<Aftermath> {
  const clients = new Map<string, HttpClient>();
  const clientFor = ({ lane }: SentTrade): HttpClient => {
    const id = lane.channel.salesChannelId;
    const client = clients.get(id) ?? createTradeClient(stack.baseUrl, lane.channel);
    clients.set(id, client);
    return client;
  };
  const lost = await findLost(trades, clientFor, boundary, beyond);
  let eventsGone = 0;
  for (const { lane } of onePerChannel(trades)) {
    const now = await readLog(createTradeClient(stack.baseUrl, lane.channel));
    for (const id of logs.get(lane.channel.salesChannelId)?.ids ?? []) if (!now.ids.has(id)) eventsGone++;
  }
  const again = await sendAllAgain(trades, lost, clientFor);
  await reconcile(stack);
  for (const [salesChannelId, { cursor }] of logs) {
    const trade = trades.find(({ lane }) => lane.channel.salesChannelId === salesChannelId);
    if (!trade) continue;
    const { events } = await readLog(clientFor(trade), cursor);
    const news = new Set(events.map(({ payload }) => payload.transactionId));
    const unseen = again.sentAgain.filter(
      ({ trade, transaction }) => trade.lane.channel.salesChannelId === salesChannelId && !news.has(transaction),
    );
    if (unseen.length > 0)
      throw new Error(`A reader that resumes at ${cursor} misses ${unseen.length} transactions that were made again.`);
  }
  return {
    acknowledged: trades.filter(({ acknowledged }) => acknowledged).length,
    lost,
    lostKnownDone: lost.filter(({ isKnownDone }) => isKnownDone).length,
    createdAgain: again.sentAgain.length,
    unanswered: again.unanswered,
    eventsGone,
  };
}

const onePerChannel = (trades: readonly SentTrade[]): SentTrade[] => [
  ...new Map(trades.map((trade) => [trade.lane.channel.salesChannelId, trade])).values(),
];

async function findLost(
  trades: readonly SentTrade[],
  clientFor: (trade: SentTrade) => HttpClient,
  boundary: Date,
  beyond: Date | undefined,
): Promise<SentTrade[]> {
  const lost: SentTrade[] = [];
  const checkTrade = async (trade: SentTrade): Promise<void> => {
    if (!trade.acknowledged) return;
    const { taskId, at } = trade.acknowledged;
    const status = await readTaskStatus(clientFor(trade), trade, taskId);
    if (status !== FOUND && status !== GONE) throw new Error(`Reading the task ${taskId} returned ${status}.`);
    if (status === GONE && at < boundary.getTime())
      throw new Error(`The task ${taskId}, acknowledged before ${boundary.toISOString()}, does not exist.`);
    if (status === FOUND && beyond && trade.sentAt > beyond.getTime())
      throw new Error(`The task ${taskId}, sent after ${beyond.toISOString()}, exists.`);
    if (status === GONE) lost.push(trade);
  };
  await inParallel(Map.groupBy(trades, ({ lane }) => lane).values(), async (ofLane) => {
    for (const trade of ofLane) await checkTrade(trade);
  });
  return lost;
}

interface Again {
  readonly sentAgain: readonly { readonly trade: SentTrade; readonly transaction: string }[];
  readonly unanswered: number;
}

/** Sends trades per lane in the original order, because a bundle is sold from its first certificate. */
async function sendAllAgain(
  trades: readonly SentTrade[],
  lost: readonly SentTrade[],
  clientFor: (trade: SentTrade) => HttpClient,
): Promise<Again> {
  const lostTrades = new Set(lost);
  const sentAgain: { trade: SentTrade; transaction: string }[] = [];
  const transactions = new Set<string>();
  let unanswered = 0;
  const sendAgain = async (trade: SentTrade): Promise<void> => {
    const client = clientFor(trade);
    const { taskId } = await sendTrade(client, trade);
    const isSame = taskId === trade.acknowledged?.taskId;
    if (trade.acknowledged && isSame === lostTrades.has(trade))
      throw new Error(`The Idempotency-Key of the task ${trade.acknowledged.taskId} returned the task ${taskId}.`);
    const transaction = await untilDone(client, trade, taskId);
    if (transactions.has(transaction)) throw new Error(`Two trades have the transaction ${transaction}.`);
    transactions.add(transaction);
    if (lostTrades.has(trade)) sentAgain.push({ trade, transaction });
    else if (!trade.acknowledged) unanswered++;
  };
  const lanes = Map.groupBy(trades, ({ lane }) => lane).values();
  await inParallel(lanes, async (ofLane) => {
    for (const trade of ofLane) await sendAgain(trade);
  });
  return { sentAgain, unanswered };
}

const inParallel = async <T>(each: Iterable<T>, work: (one: T) => Promise<void>): Promise<void> =>
  void (await Promise.all([...each].map(work)));
