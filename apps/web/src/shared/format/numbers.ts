const THIN_SPACE = '\u202f';

/**
 * Digits in groups of three: `1 904 311`. Texts and bigints keep every digit. A whole number of the API is one that
 * JSON holds exactly.
 */
export function digits(value: string | number | bigint): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(String(value)) ?? [];
  if (whole === '') return String(value);
  return `${sign}${grouped(whole)}${fraction}`;
}

/** A volume in tonnes: `250 t`. */
export const tonnes = (value: string | number | bigint): string => `${digits(value)} t`;

/**
 * A price with its currency. It has at most fifteen digits, which a number of JavaScript keeps as they were written. It
 * is shown and never counted with.
 */
export const price = (value: number, currency: string): string => {
  const [whole = '0', fraction = ''] = String(value).split('.');
  return `${digits(whole)}.${fraction.padEnd(2, '0')} ${currency}`;
};

/** Groups digits by three. */
function grouped(digits: string): string {
  const first = digits.slice(0, digits.length % 3);
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? [];
  return [...(first === '' ? [] : [first]), ...groups].join(THIN_SPACE);
}
