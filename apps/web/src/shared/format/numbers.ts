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
