/** The grammar of a JSON number without exponent (RFC 8259 section 6). */
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Members that are decimal numbers to the digit. */
const decimalMembers: ReadonlySet<string> = new Set(['unitPrice']);
/** Their members have names of the sales channel's own, and are texts. */
const textMembers: ReadonlySet<string> = new Set(['metadata']);

function decimalLiteral(text: string, member: string): string {
  if (DECIMAL.test(text)) return text;
  throw new TypeError(`${member} must be a number or a decimal text such as "149.50", not ${JSON.stringify(text)}`);
}

/**
 * JSON in which decimal texts of prices are numbers, with exactly their digits. JSON.stringify has no way to write
 * them, but for JSON.rawJSON, which Node 20 and browsers in use do not have.
 * @throws TypeError for a price that is no number
 */
export function writeJson(value: unknown, member = ''): string | undefined {
  if (typeof value === 'string' && decimalMembers.has(member)) return decimalLiteral(value, member);
  if (typeof value !== 'object' || value === null || textMembers.has(member)) return JSON.stringify(value);
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => writeJson(item) ?? 'null').join(',')}]`;
  const members = Object.entries(value).flatMap(([name, each]) => {
    const text = writeJson(each, name);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/** A text can hold such a number only after one of these. Most answers hold none, and JSON.parse alone reads them. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?(?:[0-9.]{16}|[0-9.]+[eE])/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g;

/** Digits without the sign, the point and the zeros that say nothing, and where the point stands among them. */
function digitsOf(number: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(number) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  let end = all.length;
  while (all[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  const digits = all.slice(0, end);
  return `${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

const quotedIfInexact = (token: string): string =>
  token.startsWith('"') || digitsOf(token) === digitsOf(String(Number(token))) ? token : `"${token}"`;

/**
 * Reads JSON so that no digit is lost: a number that a double would not give back to the digit comes as a text.
 * @throws SyntaxError
 */
export function readJson(text: string): unknown {
  return JSON.parse(MAY_BE_INEXACT.test(text) ? text.replace(STRING_OR_NUMBER, quotedIfInexact) : text);
}

/** The decimal digits of a price of an answer, without exponent: exactly those that the service sent. */
export function decimalOf(price: number | string): string {
  const text = String(price);
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}
