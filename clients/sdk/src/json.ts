/** JSON number without exponent (RFC 8259 section 6). */
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/** Members with exact decimal numbers. */
const decimalMembers: ReadonlySet<string> = new Set(['unitPrice']);
/** Members with names chosen by the sales channel, and text values. */
const textMembers: ReadonlySet<string> = new Set(['metadata']);

function decimalLiteral(text: string, member: string): string {
  if (DECIMAL.test(text)) return text;
  throw new TypeError(`${member} must be a number or a decimal text such as "149.50", not ${JSON.stringify(text)}`);
}

/**
 * Serializes JSON with decimal texts of prices as exact numbers. JSON.stringify cannot, and Node 20 and current
 * browsers lack JSON.rawJSON.
 * @throws TypeError for an invalid price
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

/** Cheap test for numbers that may be inexact. Most responses have none and need only JSON.parse. */
const MAY_BE_INEXACT = /(?:^|[:,[\s])-?(?:[0-9.]{16}|[0-9.]+[eE])/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*/g;

/** Significant digits and exponent of a number. */
function normalizeDigits(number: string): string {
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
  token.startsWith('"') || normalizeDigits(token) === normalizeDigits(String(Number(token))) ? token : `"${token}"`;

/** Parses JSON without loss: numbers that a double cannot represent exactly become texts. @throws SyntaxError */
export function readJson(text: string): unknown {
  return JSON.parse(MAY_BE_INEXACT.test(text) ? text.replace(STRING_OR_NUMBER, quotedIfInexact) : text);
}

/** Exact decimal digits of a price in a response, without exponent. */
export function formatDecimal(price: number | string): string {
  const text = String(price);
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([+-][0-9]+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const shift = Number(exponent);
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(shift, '0')}`;
}
