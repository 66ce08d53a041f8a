import { access, requireAccess } from '@saleschannel/auth';
import { salesChannelOf, userOf, type Call, type ResponseOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { Kind } from '../domain/kind.ts';
import { beneficiary, CURRENCY, strangerOf, UNIT_PRICE } from '../domain/samples.ts';
import { endOf, startTransfers, transactionOf, type Task, type Terms, type Transfers } from '../neighbours/tasks.ts';
import { addTrader, ensureTrader, issueTo } from './sample-traders.ts';

type Outcome = ResponseOf<'sandbox.Trigger'>;
type WebhookFault = 'DOWN' | 'LATE';

/** What is said of webhook endpoints. */
interface Asked {
  readonly webhookEndpointId?: string | undefined;
  readonly seconds: number;
}
type Range = { readonly start: string; readonly end: string };

const priced = (range: Range) => ({ range, unitPrice: UNIT_PRICE });

const tradeWith = (buyerId: string, range: Range): Terms => ({
  trade: { buyerId, currency: CURRENCY, assets: [priced(range)] },
});

/** @throws Error for a task that ended otherwise: what was promised has not happened */
function assertEnded({ id, status, message }: Task, wanted: Task['status']): void {
  if (status !== wanted) throw new Error(`the task ${id} is ${status} and not ${wanted}: ${message}`);
}

const outcomeOf = ({ traderId }: Transfers, { id, transactionId, message }: Task): Outcome => ({
  message,
  traderId,
  taskId: id,
  ...(transactionId === undefined ? {} : { transactionId }),
});

/** One transfer to its good end. */
async function succeed(transfers: Transfers, terms: Terms, call: Call): Promise<Outcome> {
  const [started] = await startTransfers(transfers, [terms], call);
  if (!started) throw new Error('tasks answered nothing');
  const task = await endOf(transfers, started, call);
  assertEnded(task, 'SUCCESS');
  return outcomeOf(transfers, task);
}

async function trade(context: Context, call: Call): Promise<Outcome> {
  const [seller, buyer] = await Promise.all([
    ensureTrader(context, 'seller', call),
    ensureTrader(context, 'buyer', call),
  ]);
  const range = await issueTo(context, seller, call);
  const transfers: Transfers = { ...context, type: 'TRANSFER_TYPE_TRADE', traderId: seller.traderId };
  return succeed(transfers, tradeWith(buyer.traderId, range), call);
}

async function retire(context: Context, call: Call): Promise<Outcome> {
  const owner = await ensureTrader(context, 'seller', call);
  const range = await issueTo(context, owner, call);
  const transfers: Transfers = { ...context, type: 'TRANSFER_TYPE_RETIREMENT', traderId: owner.traderId };
  return succeed(transfers, { retirement: { ...beneficiary, assets: [{ range }] } }, call);
}

async function offramp(context: Context, call: Call): Promise<Outcome> {
  requireAccess(access.startOfframp, userOf(call));
  const owner = await ensureTrader(context, 'seller', call);
  const range = await issueTo(context, owner, call);
  const transfers: Transfers = { ...context, type: 'TRANSFER_TYPE_OFFRAMP', traderId: owner.traderId };
  return succeed(transfers, { offramp: { assets: [range] } }, call);
}

/** Two trades ask for the same certificates at once. Both are accepted, and one of them finds them gone. */
async function fail(context: Context, call: Call): Promise<Outcome> {
  const [seller, buyer] = await Promise.all([
    ensureTrader(context, 'seller', call),
    ensureTrader(context, 'buyer', call),
  ]);
  const terms = tradeWith(buyer.traderId, await issueTo(context, seller, call));
  const transfers: Transfers = { ...context, type: 'TRANSFER_TYPE_TRADE', traderId: seller.traderId };
  const started = await startTransfers(transfers, [terms, terms], call);
  const ended = await Promise.all(started.map((task) => endOf(transfers, task, call)));
  const failed = ended.find(({ status }) => status === 'FAILED');
  if (!failed) throw new Error('of two trades of the same certificates none has failed');
  return outcomeOf(transfers, failed);
}

type Decision = 'approve' | 'reject' | undefined;

/** A trade whose seller decides by itself, and what it decides. */
async function ask(context: Context, decision: Decision, call: Call): Promise<Outcome> {
  const [seller, buyer] = await Promise.all([
    ensureTrader(context, 'careful seller', call),
    ensureTrader(context, 'buyer', call),
  ]);
  const range = await issueTo(context, seller, call);
  const transfers: Transfers = { ...context, type: 'TRANSFER_TYPE_TRADE', traderId: seller.traderId };
  const [started] = await startTransfers(transfers, [tradeWith(buyer.traderId, range)], call);
  if (!started) throw new Error('tasks answered nothing');
  const transactionId = await transactionOf(transfers, started, call);
  if (decision === undefined)
    return {
      ...outcomeOf(transfers, started),
      transactionId,
      message: 'The trade waits for the approval of its seller.',
    };
  await context.registry[decision](transactionId, call);
  const task = await endOf(transfers, started, call);
  assertEnded(task, decision === 'approve' ? 'SUCCESS' : 'REJECTED');
  return outcomeOf(transfers, task);
}

async function propose({ registry }: Context, call: Call): Promise<Outcome> {
  const salesChannelId = salesChannelOf(call);
  const accountHolderId = await registry.ensureAccountHolder(strangerOf(salesChannelId, 'Sandbox newcomer'), call);
  const { id: proposalId } = await registry.submitProposal({ accountHolderId, salesChannelId }, call);
  return { proposalId, message: 'An account holder has proposed to become a trader.' };
}

async function provide(context: Context, call: Call): Promise<Outcome> {
  const [seller, careful] = await Promise.all([
    ensureTrader(context, 'seller', call),
    ensureTrader(context, 'careful seller', call),
    ensureTrader(context, 'buyer', call),
  ]);
  await Promise.all([issueTo(context, seller, call), issueTo(context, careful, call)]);
  return { traderId: seller.traderId, message: 'Two sellers with fresh certificates, and a buyer.' };
}

/**
 * An account holder of its own each time: a suspension is for operators to end, and the traders of the other kinds must
 * not have one.
 */
async function suspend(context: Context, call: Call): Promise<Outcome> {
  requireAccess(access.acceptProposal, userOf(call));
  const trader = await addTrader(context, 'Sandbox suspended seller', call);
  await issueTo(context, trader, call);
  const { accountHolderId, traderId } = trader;
  await context.standing.SuspendAccountHolder(
    { accountHolderId, reason: 'The sandbox was asked to.' },
    { within: call },
  );
  return { traderId, message: 'The account holder behind the trader is suspended: it neither gives nor receives.' };
}

/** Breaks webhook endpoints of the caller's own. */
const breakWith =
  (fault: WebhookFault) =>
  async ({ endpoints }: Context, call: Call, { webhookEndpointId, seconds }: Asked): Promise<Outcome> => {
    const named = webhookEndpointId === undefined ? {} : { endpointId: webhookEndpointId };
    const broken = await endpoints.BreakEndpoints({ ...named, fault, seconds }, { within: call, forPrincipal: true });
    const { endpointIds: webhookEndpointIds, until } = broken;
    const what =
      fault === 'DOWN'
        ? `Until ${until} every message to these webhook endpoints is answered with 503`
        : `The next message to each of these webhook endpoints is answered with 503, and comes ${seconds} s late`;
    return { webhookEndpointIds, until, message: `${what}. The receivers get nothing of that.` };
  };

/** What happens for each kind. Each returns when it has happened. */
export const outcomes: Readonly<Record<Kind, (context: Context, call: Call, asked: Asked) => Promise<Outcome>>> = {
  'sample-traders': provide,
  'trade-succeeded': trade,
  'retirement-succeeded': retire,
  'offramp-succeeded': offramp,
  'task-failed': fail,
  'approval-pending': (context, call) => ask(context, undefined, call),
  'approval-approved': (context, call) => ask(context, 'approve', call),
  'approval-rejected': (context, call) => ask(context, 'reject', call),
  'proposal-submitted': propose,
  'holder-suspended': suspend,
  'webhook-down': breakWith('DOWN'),
  'webhook-late': breakWith('LATE'),
};
