import { accessRules, requireAccess } from '@saleschannel/auth';
import { salesChannelOf, userOf, type Call, type ResponseOf } from '@saleschannel/grpc';
import type { sandboxKinds } from '@saleschannel/sdk';
import type { Context } from '../context.ts';
import {
  beneficiary,
  CURRENCY,
  describeNewHolder,
  UNIT_PRICE,
  FACILITY,
  facility,
  describeHolder,
  describeIssuance,
  toSelection,
  type SampleRole,
} from '../domain/samples.ts';
import {
  waitForEnd,
  startTransfers,
  waitForTransaction,
  type Task,
  type Terms,
  type TransferContext,
} from '../neighbours/tasks.ts';

/** An account holder and its trader on the channel. */
interface SampleTrader {
  readonly accountHolderId: string;
  readonly traderId: string;
}

/**
 * Finds the sample trader of the caller's channel, or onboards it: the registry submits a proposal and the caller
 * accepts it.
 * @throws DomainError 'forbidden' if the caller has to accept a proposal and may not
 */
const ensureTrader = (context: Context, role: SampleRole, call: Call): Promise<SampleTrader> =>
  onboard(context, describeHolder(salesChannelOf(call), role), call);

/** Onboards a new account holder. */
const onboardNewTrader = (context: Context, name: string, call: Call): Promise<SampleTrader> =>
  onboard(context, describeNewHolder(salesChannelOf(call), name), call);

async function onboard({ registry, traders }: Context, holder: object, call: Call): Promise<SampleTrader> {
  const salesChannelId = salesChannelOf(call);
  const accountHolderId = await registry.ensureAccountHolder(holder, call);
  const proposal = await registry.submitProposal({ accountHolderId, salesChannelId }, call);
  if (proposal.status === 'ACCEPTED') return { accountHolderId, traderId: requireTraderId(proposal.onboardedTraderId) };
  requireAccess(accessRules.acceptProposal, userOf(call));
  const accepted = await traders.AcceptProposal({ proposalId: proposal.id }, { within: call, forPrincipal: true });
  return { accountHolderId, traderId: requireTraderId(accepted.onboardedTraderId) };
}

function requireTraderId(id: string | null | undefined): string {
  if (typeof id !== 'string') throw new Error('The accepted proposal has no trader.');
  return id;
}

/** Issues new certificates to the trader, and returns a range from the start of their bundle. */
async function issueCertificates(
  { registry }: Context,
  { accountHolderId }: SampleTrader,
  call: Call,
): Promise<{ start: string; end: string }> {
  const issuance = describeIssuance(accountHolderId, salesChannelOf(call));
  await registry.putFacility(FACILITY, facility, call);
  await registry.createIssuance(issuance, call);
  return toSelection(issuance);
}

/** Kinds of events in the public contract. */
export type Kind = (typeof sandboxKinds)[number];

type Outcome = ResponseOf<'sandbox.Trigger'>;
type WebhookFault = 'DOWN' | 'LATE';

/** Parameters of webhook faults. */
interface WebhookOptions {
  readonly webhookEndpointId?: string | undefined;
  readonly seconds: number;
}
type Range = { readonly start: string; readonly end: string };

const toTrade = (buyerId: string, range: Range): Terms => ({
  trade: { buyerId, currency: CURRENCY, assets: [{ range, unitPrice: UNIT_PRICE }] },
});

/** @throws Error if the task ended with another status */
function assertEnded({ id, status, message }: Task, expected: Task['status']): void {
  if (status !== expected) throw new Error(`The task ${id} is ${status} instead of ${expected}: ${message}`);
}

const toOutcome = ({ traderId }: TransferContext, { id, transactionId, message }: Task): Outcome => ({
  message,
  traderId,
  taskId: id,
  ...(transactionId === undefined ? {} : { transactionId }),
});

async function startTransfer(transfers: TransferContext, terms: Terms, call: Call): Promise<Task> {
  const [started] = await startTransfers(transfers, [terms], call);
  if (!started) throw new Error('The response of tasks is empty.');
  return started;
}

/** Starts one transfer and waits for its success. */
async function transferAndWait(transfers: TransferContext, terms: Terms, call: Call): Promise<Outcome> {
  const task = await waitForEnd(transfers, await startTransfer(transfers, terms, call), call);
  assertEnded(task, 'SUCCESS');
  return toOutcome(transfers, task);
}

/** Prepares a trade of new certificates between sample traders. */
async function prepareTrade(
  context: Context,
  sellerRole: SampleRole,
  call: Call,
): Promise<{ transfers: TransferContext; terms: Terms }> {
  const [seller, buyer] = await Promise.all([
    ensureTrader(context, sellerRole, call),
    ensureTrader(context, 'buyer', call),
  ]);
  const terms = toTrade(buyer.traderId, await issueCertificates(context, seller, call));
  return { transfers: { ...context, type: 'TRANSFER_TYPE_TRADE', traderId: seller.traderId }, terms };
}

async function trade(context: Context, call: Call): Promise<Outcome> {
  const { transfers, terms } = await prepareTrade(context, 'seller', call);
  return transferAndWait(transfers, terms, call);
}

async function retire(context: Context, call: Call): Promise<Outcome> {
  const owner = await ensureTrader(context, 'seller', call);
  const range = await issueCertificates(context, owner, call);
  const transfers: TransferContext = { ...context, type: 'TRANSFER_TYPE_RETIREMENT', traderId: owner.traderId };
  return transferAndWait(transfers, { retirement: { ...beneficiary, assets: [{ range }] } }, call);
}

async function offramp(context: Context, call: Call): Promise<Outcome> {
  requireAccess(accessRules.startOfframp, userOf(call));
  const owner = await ensureTrader(context, 'seller', call);
  const range = await issueCertificates(context, owner, call);
  const transfers: TransferContext = { ...context, type: 'TRANSFER_TYPE_OFFRAMP', traderId: owner.traderId };
  return transferAndWait(transfers, { offramp: { assets: [range] } }, call);
}

/** Starts two trades of the same certificates. Both are accepted, and one fails. */
async function failTrade(context: Context, call: Call): Promise<Outcome> {
  const { transfers, terms } = await prepareTrade(context, 'seller', call);
  const started = await startTransfers(transfers, [terms, terms], call);
  const ended = await Promise.all(started.map((task) => waitForEnd(transfers, task, call)));
  const failed = ended.find(({ status }) => status === 'FAILED');
  if (!failed) throw new Error('Neither of two trades of the same certificates failed.');
  return toOutcome(transfers, failed);
}

type Decision = 'approve' | 'reject' | undefined;

/** Starts a trade that its seller must approve, and makes the decision. */
async function tradeWithApproval(context: Context, decision: Decision, call: Call): Promise<Outcome> {
  const { transfers, terms } = await prepareTrade(context, 'careful seller', call);
  const started = await startTransfer(transfers, terms, call);
  const transactionId = await waitForTransaction(transfers, started, call);
  if (decision === undefined)
    return {
      ...toOutcome(transfers, started),
      transactionId,
      message: 'The trade waits for the approval of its seller.',
    };
  await context.registry[decision](transactionId, call);
  const task = await waitForEnd(transfers, started, call);
  assertEnded(task, decision === 'approve' ? 'SUCCESS' : 'REJECTED');
  return toOutcome(transfers, task);
}

async function submitProposal({ registry }: Context, call: Call): Promise<Outcome> {
  const salesChannelId = salesChannelOf(call);
  const accountHolderId = await registry.ensureAccountHolder(
    describeNewHolder(salesChannelId, 'Sandbox newcomer'),
    call,
  );
  const { id: proposalId } = await registry.submitProposal({ accountHolderId, salesChannelId }, call);
  return { proposalId, message: 'An account holder has proposed to become a trader.' };
}

async function createSamples(context: Context, call: Call): Promise<Outcome> {
  const [seller, careful] = await Promise.all([
    ensureTrader(context, 'seller', call),
    ensureTrader(context, 'careful seller', call),
    ensureTrader(context, 'buyer', call),
  ]);
  await Promise.all([issueCertificates(context, seller, call), issueCertificates(context, careful, call)]);
  return { traderId: seller.traderId, message: 'Created two sellers with new certificates, and a buyer.' };
}

/** Suspends a new account holder each time: only operators end a suspension, and other kinds need active traders. */
async function suspendSeller(context: Context, call: Call): Promise<Outcome> {
  requireAccess(accessRules.acceptProposal, userOf(call));
  const trader = await onboardNewTrader(context, 'Sandbox suspended seller', call);
  await issueCertificates(context, trader, call);
  const { accountHolderId, traderId } = trader;
  await context.holderAdministration.SuspendAccountHolder(
    { accountHolderId, reason: 'Requested through the sandbox.' },
    { within: call },
  );
  return {
    traderId,
    message: 'The account holder of the trader is suspended: it can neither send nor receive certificates.',
  };
}

/** Breaks webhook endpoints of the caller's channel. */
const breakWith =
  (fault: WebhookFault) =>
  async ({ endpoints }: Context, call: Call, { webhookEndpointId, seconds }: WebhookOptions): Promise<Outcome> => {
    const endpoint = webhookEndpointId === undefined ? {} : { endpointId: webhookEndpointId };
    const request = { ...endpoint, fault, seconds };
    const broken = await endpoints.BreakEndpoints(request, { within: call, forPrincipal: true });
    const { endpointIds: webhookEndpointIds, until } = broken;
    const effect =
      fault === 'DOWN'
        ? `Until ${until}, every delivery to these webhook endpoints fails with 503`
        : `The next delivery to each of these webhook endpoints fails with 503, and succeeds ${seconds} s late`;
    return { webhookEndpointIds, until, message: `${effect}. Receivers do not see the failed attempts.` };
  };

type Trigger = (context: Context, call: Call, options: WebhookOptions) => Promise<Outcome>;

/** Makes an event of each kind happen, and returns once it has happened. */
export const triggers: Readonly<Record<Kind, Trigger>> = {
  'sample-traders': createSamples,
  'trade-succeeded': trade,
  'retirement-succeeded': retire,
  'offramp-succeeded': offramp,
  'task-failed': failTrade,
  'approval-pending': (context, call) => tradeWithApproval(context, undefined, call),
  'approval-approved': (context, call) => tradeWithApproval(context, 'approve', call),
  'approval-rejected': (context, call) => tradeWithApproval(context, 'reject', call),
  'proposal-submitted': submitProposal,
  'holder-suspended': suspendSeller,
  'webhook-down': breakWith('DOWN'),
  'webhook-late': breakWith('LATE'),
};
