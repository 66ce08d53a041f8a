import { totalPrice } from '../../../shared/format/money.ts';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { describeRetirement } from '../../transactions/retirement.ts';
import type { TransferKind } from '../../transfers/kinds.ts';
import { readField, toRetirement, type Fields } from './body.ts';
import { text } from './text.ts';

export type ReviewLine = readonly [name: string, value: string | null];

export interface ReviewData {
  readonly fields: Fields;
  readonly traderName: string;
  readonly buyerName: string;
  readonly volume: number;
  readonly bundles: number;
}

function statementLines(of: (name: string) => string): readonly ReviewLine[] {
  const hiddenUntil = of('beneficiaryHiddenUntil');
  return [
    [text.publication, of('publication') === 'PUBLIC' ? text.PUBLIC : text.LINK],
    [text.hidden, hiddenUntil === '' ? text.notHidden : text.until(hiddenUntil)],
  ];
}

/** Exact total of a transfer. Undefined without a valid price. */
export function calculateTotal(act: TransferKind, fields: Fields, volume: number): string | undefined {
  if (act === 'offramp') return undefined;
  return totalPrice([{ unitPrice: readField(fields, 'unitPrice'), volume }], readField(fields, 'currency'));
}

/** Describes every effect of the transfer, for the review and the result. */
export function buildReview(
  act: TransferKind,
  { fields, traderName, buyerName, volume, bundles }: ReviewData,
): readonly ReviewLine[] {
  const of = (name: string): string => readField(fields, name);
  const unitPrice = act === 'offramp' ? '' : of('unitPrice');
  const currency = of('currency');
  return [
    [act === 'trade' ? text.seller : text.owner, traderName],
    [text.buyer, act === 'trade' ? buyerName : null],
    [text.volume, formatNumber(volume)],
    [text.bundles, formatNumber(bundles)],
    [text.unitPrice, unitPrice === '' ? null : text.each(unitPrice, currency)],
    [text.currency, act === 'offramp' || unitPrice !== '' ? null : currency || null],
    [text.total, calculateTotal(act, fields, volume) ?? null],
    ...(act === 'retire' ? [...describeRetirement(toRetirement(fields)), ...statementLines(of)] : []),
    [text.reference, of('externalReference') || null],
  ];
}
