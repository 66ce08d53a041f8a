import { totalPrice } from '../../../shared/format/money.ts';
import { digits } from '../../../shared/format/numbers.ts';
import { retirementFacts } from '../../transactions/retirement.ts';
import type { Act } from '../../transfers/kinds.ts';
import { fieldOf, retirementOf, type Fields } from './body.ts';
import { text } from './text.ts';

export type Answer = readonly [name: string, value: string | null];

export interface Answered {
  readonly fields: Fields;
  readonly traderName: string;
  readonly buyerName: string;
  readonly volume: number;
  readonly bundles: number;
}

function statementLines(of: (name: string) => string): readonly Answer[] {
  const hiddenUntil = of('beneficiaryHiddenUntil');
  return [
    [text.publication, of('publication') === 'PUBLIC' ? text.PUBLIC : text.LINK],
    [text.hidden, hiddenUntil === '' ? text.notHidden : text.until(hiddenUntil)],
  ];
}

/** Exact total of a transfer. Undefined without a valid price. */
export function priceOf(act: Act, fields: Fields, volume: number): string | undefined {
  if (act === 'offramp') return undefined;
  return totalPrice([{ unitPrice: fieldOf(fields, 'unitPrice'), volume }], fieldOf(fields, 'currency'));
}

/** Everything that the transfer will do, in words, for the review and the result. */
export function answersOf(act: Act, { fields, traderName, buyerName, volume, bundles }: Answered): readonly Answer[] {
  const of = (name: string): string => fieldOf(fields, name);
  const unitPrice = act === 'offramp' ? '' : of('unitPrice');
  const currency = of('currency');
  return [
    [act === 'trade' ? text.seller : text.owner, traderName],
    [text.buyer, act === 'trade' ? buyerName : null],
    [text.volume, digits(volume)],
    [text.bundles, digits(bundles)],
    [text.unitPrice, unitPrice === '' ? null : text.each(unitPrice, currency)],
    [text.currency, act === 'offramp' || unitPrice !== '' ? null : currency || null],
    [text.total, priceOf(act, fields, volume) ?? null],
    ...(act === 'retire' ? [...retirementFacts(retirementOf(fields)), ...statementLines(of)] : []),
    [text.reference, of('externalReference') || null],
  ];
}
