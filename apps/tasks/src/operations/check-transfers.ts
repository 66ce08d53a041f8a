import { actorOf } from '@saleschannel/audit';
import { accessRules, requireAccess, type AccessRule, type TokenVerifier } from '@saleschannel/auth';
import type { Actor, TransferType } from '@saleschannel/contracts';
import {
  DomainError,
  internal,
  requestRefused,
  receivedFaultCode,
  type FaultWording,
  forbidden,
} from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import { systemClock } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { decideDestination, type Destination } from '../domain/destination.ts';
import {
  replaceCertificates,
  type Transfer,
  parseTransfer,
  determineTransferType,
  type TransferRequest,
} from '../domain/transfer.ts';
import type { FoundHolders } from '../neighbours/account-holders.ts';
import type { PartyFinder, PartyKey } from '../neighbours/parties.ts';
import { attempt } from './attempt.ts';

/** A transfer as requested, with the token of the user. */
export interface IncomingTransfer extends TransferRequest {
  readonly principalToken: string;
  /** W3C trace context of the request. Empty without a trace. */
  readonly traceparent: string;
  /** Id of the public request. */
  readonly requestId?: string | undefined;
  /** Network address of the client. */
  readonly clientAddress?: string | undefined;
}

/** A valid transfer whose caller has the right to start it. */
export interface AuthorizedTransfer {
  readonly salesChannelId: string;
  readonly transfer: Transfer;
  /** True if its selections are serials without issuance, which may begin anywhere within a bundle. */
  readonly isOfPreviousGeneration: boolean;
  readonly actor: Actor;
  readonly traceparent: string;
}

const startAccess: Record<TransferType, AccessRule> = {
  TRADE: accessRules.startTrade,
  RETIREMENT: accessRules.startRetirement,
  OFFRAMP: accessRules.startOfframp,
};

/** @throws DomainError 'unauthenticated', 'forbidden', 'sales-channel-suspended' or 'invalid-request' */
export async function authorizeTransfer(
  verifier: TokenVerifier,
  request: IncomingTransfer,
): Promise<AuthorizedTransfer> {
  const type = determineTransferType(request);
  const principal = await verifier.verifyPrincipal(request.principalToken);
  if (principal.kind !== 'user' || principal.salesChannelId === undefined) throw forbidden();
  requireAccess(startAccess[type], principal);
  const { requestId, clientAddress } = request;
  return {
    salesChannelId: principal.salesChannelId,
    transfer: parseTransfer(type, request),
    isOfPreviousGeneration: request.previousGeneration === true,
    traceparent: request.traceparent,
    actor: actorOf({ caller: 'gateway', principal, requestId, clientAddress }),
  };
}

type Dependencies = Pick<Context, 'parties' | 'inventory' | 'accountHolders'>;
type Verdict = ReplyOf<'selectionCheck.CheckSelections'>['verdicts'][number];
type SelectionFault = Verdict['faults'][number];

/** A transfer that is possible now. */
export interface CheckedTransfer extends AuthorizedTransfer {
  /** The transfer, with the issuances of its certificates. */
  readonly resolved: Transfer;
  readonly destination: Destination;
  /** The account holder behind the seller, if there is one. */
  readonly accountHolderId: string | undefined;
  readonly autoApproval: boolean;
  /** End of the lease on the account holders' answers, on the `performance.now()` clock. */
  readonly leaseEnd: number;
}

/**
 * Asks traders, inventory and registry-import about all transfers at once, then judges each. While registry-import is
 * unavailable, only transfers whose seller or buyer has an account holder are refused.
 * @throws DomainError 'unavailable' if traders or inventory is unavailable
 */
export async function checkTransfers(
  { parties, inventory, accountHolders }: Dependencies,
  transfers: readonly AuthorizedTransfer[],
  within: Call,
): Promise<(CheckedTransfer | DomainError)[]> {
  const findParty = await parties.find(transfers.flatMap(listParties), within);
  const checks = transfers.map(({ salesChannelId, isOfPreviousGeneration, transfer: { traderId, assets } }) => ({
    salesChannelId,
    traderId,
    previousGeneration: isOfPreviousGeneration,
    selections: assets,
  }));
  const holderIds = new Set(transfers.flatMap((transfer) => listHolders(transfer, findParty)));
  const [{ verdicts }, holders] = await Promise.all([
    inventory.CheckSelections({ checks }, { within }),
    attempt(() => accountHolders.find(holderIds, within)),
  ]);
  return Promise.all(
    transfers.map((transfer, index) =>
      attempt(async () => judge(transfer, findParty, verdicts[index] ?? internal(), holders)),
    ),
  );
}

const listParties = ({ salesChannelId, transfer }: AuthorizedTransfer): PartyKey[] =>
  (transfer.type === 'TRADE' ? [transfer.traderId, transfer.buyerId] : [transfer.traderId]).map((traderId) => ({
    salesChannelId,
    traderId,
  }));

const findSellingHolder = (
  { salesChannelId, transfer }: AuthorizedTransfer,
  findParty: PartyFinder,
): string | undefined => findParty({ salesChannelId, traderId: transfer.traderId })?.accountHolderId;

const findBuyingHolder = (
  { salesChannelId, transfer }: AuthorizedTransfer,
  findParty: PartyFinder,
): string | undefined =>
  transfer.type === 'TRADE' ? findParty({ salesChannelId, traderId: transfer.buyerId })?.accountHolderId : undefined;

const listHolders = (transfer: AuthorizedTransfer, findParty: PartyFinder): string[] =>
  [findSellingHolder(transfer, findParty), findBuyingHolder(transfer, findParty)].filter(
    (holder) => holder !== undefined,
  );

/** @throws DomainError 'not-found', 'request-refused', or the error of inventory or registry-import */
function judge(
  admitted: AuthorizedTransfer,
  findParty: PartyFinder,
  verdict: Verdict | DomainError,
  holders: FoundHolders | DomainError,
): CheckedTransfer {
  const { salesChannelId, transfer } = admitted;
  const destination = decideDestination(
    transfer,
    (traderId) => findParty({ salesChannelId, traderId }),
    systemClock.now(),
  );
  const [seller, buyer] = [findSellingHolder(admitted, findParty), findBuyingHolder(admitted, findParty)];
  if (isSuspended(seller, holders)) throw sellerSuspended();
  if (isSuspended(buyer, holders)) throw buyerSuspended();
  if (verdict instanceof DomainError) throw verdict;
  if (verdict.faults.length > 0) throw selectionRefused(verdict.faults);
  const resolved = admitted.isOfPreviousGeneration ? replaceCertificates(transfer, verdict.selections) : transfer;
  if (!resolved) throw internal();
  const holdersUntil = (seller ?? buyer) === undefined || holders instanceof DomainError ? Infinity : holders.leaseEnd;
  const autoApproval = isAutomatic(seller, holders);
  return { ...admitted, resolved, destination, accountHolderId: seller, autoApproval, leaseEnd: holdersUntil };
}

const selectionRefused = (faults: readonly SelectionFault[]): DomainError =>
  requestRefused(
    'The selections cannot be carried out.',
    faults.map(({ index, field, code, detail }) => ({
      pointer: `#/assets/${index}/${field}`,
      code: receivedFaultCode(code),
      detail,
    })),
  );

/** A seller without an account holder need not approve. A seller with an unknown account holder must. */
function isAutomatic(holderId: string | undefined, holders: FoundHolders | DomainError): boolean {
  if (holderId === undefined) return true;
  if (holders instanceof DomainError) throw holders;
  return holders.byId.get(holderId)?.autoApproval ?? false;
}

/** A suspended account holder neither sends nor receives certificates. */
function isSuspended(holderId: string | undefined, holders: FoundHolders | DomainError): boolean {
  if (holderId === undefined) return false;
  if (holders instanceof DomainError) throw holders;
  return holders.byId.get(holderId)?.status === 'SUSPENDED';
}

const SUSPENDED: FaultWording = {
  code: 'account-holder-suspended',
  detail: 'is the trader of a suspended account holder',
};

const sellerSuspended = (): DomainError =>
  requestRefused('The operator suspended the account holder of the trader, so it cannot send certificates.', [
    { parameter: 'traderId', ...SUSPENDED },
  ]);

const buyerSuspended = (): DomainError =>
  requestRefused('The operator suspended the account holder of the buyer, so it cannot receive certificates.', [
    { pointer: '#/buyerId', ...SUSPENDED },
  ]);
