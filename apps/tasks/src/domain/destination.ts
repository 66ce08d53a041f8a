import type { TransferRequested } from '@saleschannel/contracts';
import { notFound, requestRefused, type DomainError, type Violation } from '@saleschannel/errors';
import { oneCalendarYearAfter } from '@saleschannel/primitives';
import { retirementDetails, statementTermsOf, type Retirement, type Trade, type Transfer } from './transfer.ts';

/** A trader of the channel, as far as a transfer needs to know it. */
export interface Party {
  /** Of a trader that was onboarded by proposal. */
  readonly accountHolderId: string | undefined;
}

/** Where the certificates go and on what terms, as the ledger is told. */
export type Destination =
  /** To another trader of the channel. */
  | { readonly type: 'TRADE'; readonly buyerId: string; readonly currency: Trade['currency'] }
  /** To nobody: they are used up. */
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
 * @param findParty a trader of the channel by id
 * @param now start of the time for which a beneficiary may be hidden
 * @throws DomainError 'not-found' for an unknown seller, 'request-refused' when the certificates cannot go there
 */
export function destinationOf(
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
      return { type, currency, retirement: retirementDetails(transfer), statement: statementTermsOf(transfer) };
    }
    case 'OFFRAMP':
      if (seller.accountHolderId === undefined) throw notOnboarded();
      return { type: transfer.type, sellerAccountHolderId: seller.accountHolderId };
  }
}

/** Refuses prices on some selections only, and prices without a currency. A currency needs no prices. */
function priceViolations({ assets, currency }: Retirement): Violation[] {
  const unpriced = assets.flatMap(({ unitPrice }, index) => (unitPrice === undefined ? [index] : []));
  if (unpriced.length === assets.length) return [];
  const violations = unpriced.map((index): Violation => {
    const detail = 'Either all selections carry a unit price or none does.';
    return { pointer: `#/assets/${index}/unitPrice`, code: 'price-missing', detail };
  });
  if (currency === undefined)
    violations.push({ pointer: '#/currency', code: 'currency-missing', detail: 'Prices need a currency.' });
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
  if (until <= oneCalendarYearAfter(now)) return [];
  return [{ pointer, code: 'embargo-too-long', detail: 'The beneficiary can be hidden for twelve months at most.' }];
}

const refused = (violations: Violation[]): DomainError =>
  requestRefused('The request cannot be carried out.', violations);

const buyerIsSeller = (): DomainError =>
  refused([
    { pointer: '#/buyerId', code: 'buyer-is-seller', detail: 'The buyer must be another trader than the seller.' },
  ]);

const unknownBuyer = (): DomainError =>
  refused([{ pointer: '#/buyerId', code: 'buyer-unknown', detail: 'There is no such trader in your sales channel.' }]);

const notOnboarded = (): DomainError =>
  requestRefused('Only a trader that was onboarded by proposal can offramp.', [
    {
      parameter: 'traderId',
      code: 'not-onboarded',
      detail:
        'The trader was created by the sales channel, so there is no account holder to give the certificates back to.',
    },
  ]);
