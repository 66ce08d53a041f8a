import type { TransferRequested } from '@saleschannel/contracts';
import { notFound, requestRefused, type DomainError, type Violation } from '@saleschannel/errors';
import { addCalendarYear } from '@saleschannel/primitives';
import { toRetirementDetails, toStatementTerms, type Retirement, type Trade, type Transfer } from './transfer.ts';

/** A trader of the channel. */
export interface Party {
  /** Present if the trader was onboarded by proposal. */
  readonly accountHolderId: string | undefined;
}

/** Recipient and terms of a transfer, as the ledger receives them. */
export type Destination =
  /** To another trader of the channel. */
  | { readonly type: 'TRADE'; readonly buyerId: string; readonly currency: Trade['currency'] }
  /** Retired for a beneficiary, so there is no recipient. */
  | {
      readonly type: 'RETIREMENT';
      readonly currency: Trade['currency'] | null;
      readonly retirement: Extract<TransferRequested, { type: 'RETIREMENT' }>['retirement'];
      readonly statement?: Extract<TransferRequested, { type: 'RETIREMENT' }>['statement'];
    }
  /** Back to the account holder behind the seller. */
  | { readonly type: 'OFFRAMP'; readonly sellerAccountHolderId: string };

/**
 * Decides where the certificates of a transfer go.
 * @param findParty finds a trader of the channel by id
 * @param now start of the period in which a beneficiary may be hidden
 * @throws DomainError 'not-found' for an unknown seller, 'request-refused' if the certificates cannot go there
 */
export function decideDestination(
  transfer: Transfer,
  findParty: (traderId: string) => Party | undefined,
  now: Date,
): Destination {
  const seller = findParty(transfer.traderId);
  if (!seller) throw notFound();
  switch (transfer.type) {
    case 'TRADE': {
      const { type, buyerId, currency } = transfer;
      if (buyerId === transfer.traderId) throw buyerIsSeller();
      if (!findParty(buyerId)) throw unknownBuyer();
      return { type, buyerId, currency };
    }
    case 'RETIREMENT': {
      const violations = [
        ...priceViolations(transfer),
        ...periodViolations(transfer),
        ...embargoViolations(transfer, now),
      ];
      if (violations.length > 0) throw refused(violations);
      const { type, currency = null } = transfer;
      return { type, currency, retirement: toRetirementDetails(transfer), statement: toStatementTerms(transfer) };
    }
    case 'OFFRAMP':
      if (seller.accountHolderId === undefined) throw notOnboarded();
      return { type: transfer.type, sellerAccountHolderId: seller.accountHolderId };
  }
}

/** Refuses prices on only some selections, and prices without a currency. A currency needs no prices. */
function priceViolations({ assets, currency }: Retirement): Violation[] {
  const unpriced = assets.flatMap(({ unitPrice }, index) => (unitPrice === null ? [index] : []));
  if (unpriced.length === assets.length) return [];
  const violations = unpriced.map((index): Violation => {
    const detail = 'Either all selections must have a unit price or none.';
    return { pointer: `#/assets/${index}/unitPrice`, code: 'price-missing', detail };
  });
  if (currency === undefined)
    violations.push({
      pointer: '#/currency',
      code: 'currency-missing',
      detail: 'A request with prices must have a currency.',
    });
  return violations;
}

function periodViolations({ consumptionPeriod: { start, end } }: Retirement): Violation[] {
  if (Date.parse(start) <= Date.parse(end)) return [];
  const detail = 'The period must not end before it starts.';
  return [{ pointer: '#/consumptionPeriod/start', code: 'period-order', detail }];
}

function embargoViolations({ statement }: Retirement, now: Date): Violation[] {
  const until = statement?.beneficiaryHiddenUntil;
  if (!until) return [];
  const pointer = '#/statement/beneficiaryHiddenUntil';
  if (until <= now) return [{ pointer, code: 'embargo-past', detail: 'The embargo must end in the future.' }];
  if (until <= addCalendarYear(now)) return [];
  return [{ pointer, code: 'embargo-too-long', detail: 'The beneficiary can be hidden for at most twelve months.' }];
}

const refused = (violations: Violation[]): DomainError =>
  requestRefused('The request cannot be carried out.', violations);

const buyerIsSeller = (): DomainError =>
  refused([{ pointer: '#/buyerId', code: 'buyer-is-seller', detail: 'The buyer must not be the seller.' }]);

const unknownBuyer = (): DomainError =>
  refused([
    { pointer: '#/buyerId', code: 'buyer-unknown', detail: 'The trader does not exist in your sales channel.' },
  ]);

const notOnboarded = (): DomainError =>
  requestRefused('Only a trader that was onboarded by a proposal can offramp.', [
    {
      parameter: 'traderId',
      code: 'not-onboarded',
      detail: 'The sales channel created this trader, so it has no account holder to receive the certificates.',
    },
  ]);
