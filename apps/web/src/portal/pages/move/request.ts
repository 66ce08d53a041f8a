import { totalPrice, formatNumber } from '../../../shared/format/numbers.ts';
import { describeRetirement, type Retirement } from '../../transactions/retirement.ts';
import type { Draft, TransferKind, Range } from '../../transfers/transfers.ts';
import { text } from './text.ts';

export type Fields = Draft['fields'];

/** Prices that are valid JSON numbers as typed. Not anchored, because browsers anchor `pattern` attributes. */
export const PRICE_PATTERN = String.raw`(?:0|[1-9]\d{0,9})(?:\.\d{1,6})?`;
const PRICE = new RegExp(`^(?:${PRICE_PATTERN})$`);

export const readField = (fields: Fields, name: string): string => fields[name]?.trim() ?? String();

const firstMoment = (day: string): string => `${day}T00:00:00.000Z`;
const lastMoment = (day: string): string => `${day}T23:59:59.000Z`;

/** Selections as JSON. Prices are inserted as typed, never as JavaScript numbers. */
function formatAssets(selections: readonly Range[], price: string): string {
  const each = selections.map(({ start, end }) => {
    const range = JSON.stringify({ start, end });
    return price === '' ? range : `${range.slice(0, -1)},"unitPrice":${price}}`;
  });
  return `[${each.join(',')}]`;
}

/** Beneficiary and use of a retirement. */
function toRetirement(fields: Fields): Retirement {
  const of = (name: string): string => readField(fields, name);
  return {
    beneficiaryName: of('beneficiaryName'),
    beneficiaryLocation: of('beneficiaryLocation'),
    beneficiaryType: of('beneficiaryType'),
    consumptionCountryCode: of('consumptionCountryCode').toUpperCase(),
    usageType: of('usageType'),
    consumptionPeriod: { start: firstMoment(of('periodStart')), end: lastMoment(of('periodEnd')) },
    retirementPurpose: of('retirementPurpose'),
  };
}

function toStatement(fields: Fields): object {
  const hiddenUntil = readField(fields, 'beneficiaryHiddenUntil');
  return {
    publication: readField(fields, 'publication'),
    ...(hiddenUntil === '' ? {} : { beneficiaryHiddenUntil: firstMoment(hiddenUntil) }),
  };
}

/** Members other than the assets. */
function buildMembers(act: TransferKind, { fields, buyerId }: Pick<Draft, 'fields' | 'buyerId'>): object {
  const externalReference = readField(fields, 'externalReference');
  const notes = externalReference === '' ? {} : { externalReference };
  if (act === 'offramp') return notes;
  const currency = readField(fields, 'currency') || null;
  if (act === 'trade') return { buyerId, currency, ...notes };
  return { ...toRetirement(fields), statement: toStatement(fields), currency, ...notes };
}

/** Request body as text, with exactly the planned selections. @throws Error for an invalid price */
export function buildBody(
  act: TransferKind,
  draft: Pick<Draft, 'fields' | 'buyerId'>,
  selections: readonly Range[],
): string {
  const price = act === 'offramp' ? '' : readField(draft.fields, 'unitPrice');
  if (price !== '' && !PRICE.test(price))
    throw new Error('The price must be a decimal number with at most six decimal places.');
  const members = JSON.stringify(buildMembers(act, draft)).slice(0, -1);
  return `${members}${members === '{' ? '' : ','}"assets":${formatAssets(selections, price)}}`;
}

type ReviewLine = readonly [name: string, value: string | null];

interface ReviewData {
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
