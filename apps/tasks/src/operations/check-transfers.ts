import { DomainError, internal, requestRefused, receivedFaultCode, type FaultWording } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import { systemClock } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { destinationOf, type Destination } from '../domain/destination.ts';
import { renamed, type Transfer } from '../domain/transfer.ts';
import type { FoundHolders } from '../neighbours/account-holders.ts';
import type { PartyFinder, PartyKey } from '../neighbours/parties.ts';
import type { AdmittedTransfer } from './admit-transfer.ts';
import { attempt } from './attempt.ts';

type Dependencies = Pick<Context, 'parties' | 'inventory' | 'accountHolders'>;
type Verdict = ReplyOf<'selectionCheck.CheckSelections'>['verdicts'][number];
type SelectionFault = Verdict['faults'][number];

/** A transfer that could be carried out now. */
export interface CheckedTransfer extends AdmittedTransfer {
  /** The transfer with the issuances of its certificates. */
  readonly named: Transfer;
  readonly destination: Destination;
  /** The account holder behind the seller, if there is one. */
  readonly accountHolderId: string | undefined;
  readonly autoApproval: boolean;
  /** Until when the account holders let it happen, on the `performance.now()` clock. */
  readonly holdersUntil: number;
}

/**
 * Asks the traders, the inventory and the account holders about all transfers at once, then judges each. When the
 * account holders cannot be asked, only transfers with a seller or buyer who has one are refused.
 * @throws DomainError 'unavailable' when the traders or the inventory cannot be asked
 */
export async function checkTransfers(
  { parties, inventory, accountHolders }: Dependencies,
  transfers: readonly AdmittedTransfer[],
  within: Call,
): Promise<(CheckedTransfer | DomainError)[]> {
  const findParty = await parties.find(transfers.flatMap(partiesOf), within);
  const checks = transfers.map(({ salesChannelId, isOfPreviousGeneration, transfer: { traderId, assets } }) => ({
    salesChannelId,
    traderId,
    previousGeneration: isOfPreviousGeneration,
    selections: assets.map(({ start, end }) => ({ start, end })),
  }));
  const holderIds = new Set(transfers.flatMap((transfer) => holdersOf(transfer, findParty)));
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

const partiesOf = ({ salesChannelId, transfer }: AdmittedTransfer): PartyKey[] =>
  (transfer.type === 'TRADE' ? [transfer.traderId, transfer.buyerId] : [transfer.traderId]).map((traderId) => ({
    salesChannelId,
    traderId,
  }));

/** The account holder behind the seller. */
const holderOf = ({ salesChannelId, transfer }: AdmittedTransfer, findParty: PartyFinder): string | undefined =>
  findParty({ salesChannelId, traderId: transfer.traderId })?.accountHolderId;

/** The account holder behind the buyer. */
const buyingHolderOf = ({ salesChannelId, transfer }: AdmittedTransfer, findParty: PartyFinder): string | undefined =>
  transfer.type === 'TRADE' ? findParty({ salesChannelId, traderId: transfer.buyerId })?.accountHolderId : undefined;

const holdersOf = (transfer: AdmittedTransfer, findParty: PartyFinder): string[] =>
  [holderOf(transfer, findParty), buyingHolderOf(transfer, findParty)].filter((holder) => holder !== undefined);

/** @throws DomainError 'not-found', 'request-refused', or why the inventory or the account holders gave no answer */
function judge(
  admitted: AdmittedTransfer,
  findParty: PartyFinder,
  verdict: Verdict | DomainError,
  holders: FoundHolders | DomainError,
): CheckedTransfer {
  const { salesChannelId, transfer } = admitted;
  const destination = destinationOf(transfer, (traderId) => findParty({ salesChannelId, traderId }), systemClock.now());
  const [seller, buyer] = [holderOf(admitted, findParty), buyingHolderOf(admitted, findParty)];
  if (isSuspended(seller, holders)) throw sellerSuspended();
  if (isSuspended(buyer, holders)) throw buyerSuspended();
  if (verdict instanceof DomainError) throw verdict;
  if (verdict.faults.length > 0) throw selectionRefused(verdict.faults);
  const named = admitted.isOfPreviousGeneration ? renamed(transfer, verdict.selections) : transfer;
  if (!named) throw internal();
  const holdersUntil = (seller ?? buyer) === undefined || holders instanceof DomainError ? Infinity : holders.until;
  const autoApproval = isAutomatic(seller, holders);
  return { ...admitted, named, destination, accountHolderId: seller, autoApproval, holdersUntil };
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

/** A seller without an account holder is never asked. One whose account holder is not known any more always is. */
function isAutomatic(holderId: string | undefined, holders: FoundHolders | DomainError): boolean {
  if (holderId === undefined) return true;
  if (holders instanceof DomainError) throw holders;
  return holders.byId.get(holderId)?.autoApproval ?? false;
}

/** A suspended account holder gives nothing and receives nothing. */
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
  requestRefused('The account holder behind the trader is suspended by the operator: nothing of it moves.', [
    { parameter: 'traderId', ...SUSPENDED },
  ]);

const buyerSuspended = (): DomainError =>
  requestRefused('The account holder behind the buyer is suspended by the operator: it receives nothing.', [
    { pointer: '#/buyerId', ...SUSPENDED },
  ]);
