import { DomainError, internal, requestRefused } from '@saleschannel/errors';
import type { Call, ReplyOf } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { destinationOf, type Destination } from '../domain/destination.ts';
import type { PartyFinder, PartyKey } from '../neighbours/parties.ts';
import type { AdmittedTransfer } from './admit-transfer.ts';
import { attempt } from './attempt.ts';

type Dependencies = Pick<Context, 'parties' | 'inventory' | 'accountHolders'>;
type SelectionFault = ReplyOf<'selectionCheck.CheckSelections'>['verdicts'][number]['faults'][number];
/** Whether account holders let transactions complete without being asked, by their ids. */
type Approvals = ReadonlyMap<string, boolean>;

/** A transfer that could be carried out now. */
export interface CheckedTransfer extends AdmittedTransfer {
  readonly destination: Destination;
  /** The account holder behind the seller, if there is one. */
  readonly accountHolderId: string | undefined;
  readonly autoApproval: boolean;
}

/**
 * Asks the traders, the inventory and the account holders about all transfers at once, then judges each. When the
 * account holders cannot be asked, only transfers of sellers who have one are refused.
 * @throws DomainError 'unavailable' when the traders or the inventory cannot be asked
 */
export async function checkTransfers(
  { parties, inventory, accountHolders }: Dependencies,
  transfers: readonly AdmittedTransfer[],
  within: Call,
): Promise<(CheckedTransfer | DomainError)[]> {
  const findParty = await parties.find(transfers.flatMap(partiesOf), within);
  const checks = transfers.map(({ salesChannelId, transfer: { traderId, assets } }) => ({
    salesChannelId,
    traderId,
    selections: assets.map(({ start, end }) => ({ start, end })),
  }));
  const holderIds = new Set(transfers.flatMap((transfer) => holderOf(transfer, findParty) ?? []));
  const [{ verdicts }, approvals] = await Promise.all([
    inventory.CheckSelections({ checks }, { within }),
    attempt(() => readApprovals(accountHolders, holderIds, within)),
  ]);
  return Promise.all(
    transfers.map((transfer, index) =>
      attempt(async () => judge(transfer, findParty, verdicts[index]?.faults ?? internal(), approvals)),
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

/** Asked each time, so that what account holders decide counts at once. */
async function readApprovals(
  directory: Context['accountHolders'],
  holderIds: ReadonlySet<string>,
  within: Call,
): Promise<Approvals> {
  if (holderIds.size === 0) return new Map();
  const { accountHolders } = await directory.GetAccountHolders({ accountHolderIds: [...holderIds] }, { within });
  return new Map(accountHolders.map(({ accountHolderId, autoApproval }) => [accountHolderId, autoApproval]));
}

/** @throws DomainError 'not-found', 'request-refused', or why the inventory or the account holders gave no answer */
function judge(
  admitted: AdmittedTransfer,
  findParty: PartyFinder,
  faults: readonly SelectionFault[] | DomainError,
  approvals: Approvals | DomainError,
): CheckedTransfer {
  const { salesChannelId, transfer } = admitted;
  const destination = destinationOf(transfer, (traderId) => findParty({ salesChannelId, traderId }));
  if (faults instanceof DomainError) throw faults;
  if (faults.length > 0) throw selectionRefused(faults);
  const accountHolderId = holderOf(admitted, findParty);
  return { ...admitted, destination, accountHolderId, autoApproval: isAutomatic(accountHolderId, approvals) };
}

const selectionRefused = (faults: readonly SelectionFault[]): DomainError =>
  requestRefused(
    'The selections cannot be carried out.',
    faults.map(({ index, field, code, detail }) => ({ pointer: `#/assets/${index}/${field}`, code, detail })),
  );

/** A seller without an account holder is never asked. One whose account holder is not known any more always is. */
function isAutomatic(holderId: string | undefined, approvals: Approvals | DomainError): boolean {
  if (holderId === undefined) return true;
  if (approvals instanceof DomainError) throw approvals;
  return approvals.get(holderId) ?? false;
}
