import type { Retirement } from '../../transactions/retirement.ts';
import type { Draft } from '../../transfers/draft.ts';
import type { TransferKind } from '../../transfers/kinds.ts';
import type { Range } from '../../transfers/range.ts';

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
export function toRetirement(fields: Fields): Retirement {
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
