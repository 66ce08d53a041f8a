const THIN_SPACE = '\u202f';

/** Groups digits by three: `1 904 311`. Texts and bigints keep every digit; numbers of the API are exact. */
export function formatNumber(value: string | number | bigint): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(String(value)) ?? [];
  if (whole === '') return String(value);
  return `${sign}${grouped(whole)}${fraction}`;
}

/** Volume in tonnes: `250 t`. */
export const formatTonnes = (value: string | number | bigint): string => `${formatNumber(value)} t`;

/** Price with its currency, for display only. API prices have at most fifteen digits, which a number keeps. */
export const formatPrice = (value: number, currency: string): string => {
  const [whole = '0', fraction = ''] = String(value).split('.');
  return `${formatNumber(whole)}.${fraction.padEnd(2, '0')} ${currency}`;
};

function grouped(digits: string): string {
  const first = digits.slice(0, digits.length % 3);
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? [];
  return [...(first === '' ? [] : [first]), ...groups].join(THIN_SPACE);
}

/** An exact amount: `units` / 10^`decimals`. */
interface Amount {
  readonly units: bigint;
  readonly decimals: number;
}

/** Maximum decimal places of a price. */
const DECIMALS = 6;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/** Undefined unless the text is a decimal number. */
function parseAmount(text: string): Amount | undefined {
  const [, whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? undefined : { units: BigInt(whole + fraction), decimals: fraction.length };
}

const atScale = ({ units, decimals }: Amount, scale: number): bigint => units * 10n ** BigInt(scale - decimals);

function writeAmount({ units, decimals }: Amount, currency: string): string {
  const text = units.toString().padStart(decimals + 1, '0');
  const [whole, fraction] = decimals === 0 ? [text, ''] : [text.slice(0, -decimals), text.slice(-decimals)];
  return `${formatNumber(whole)}.${fraction.replace(/0{1,18}$/, '').padEnd(2, '0')} ${currency}`;
}

/** Formats a decimal text of the API with its currency: `37 125.00 EUR`. Undefined without either. */
export function formatMoney(price: string | null | undefined, currency: string | null): string | undefined {
  const amount = currency === null ? undefined : parseAmount(price ?? 'none');
  return amount && currency !== null ? writeAmount(amount, currency) : undefined;
}

interface PricedLine {
  /** As typed, or a number of the API, which has at most fifteen digits and is therefore exact. */
  readonly unitPrice: string | number | null | undefined;
  readonly volume: string | number | bigint;
}

/** Exact total of lines, such as `37 125.00 EUR`, computed in integers. Undefined if a line has no price. */
export function totalPrice(lines: readonly PricedLine[], currency: string): string | undefined {
  let units = 0n;
  let decimals = DECIMALS;
  for (const { unitPrice, volume } of lines) {
    const price = parseAmount(String(unitPrice ?? 'none'));
    if (!price) return undefined;
    const scale = Math.max(decimals, price.decimals);
    units = units * 10n ** BigInt(scale - decimals) + atScale(price, scale) * BigInt(volume);
    decimals = scale;
  }
  return lines.length === 0 ? undefined : writeAmount({ units, decimals }, currency);
}
