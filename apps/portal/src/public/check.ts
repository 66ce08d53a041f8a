/**
 * Checks a statement with the published keys only (RFC 9901 section 7.1). Browsers run this file too, so it imports
 * nothing and uses only features of both browsers and Node.js.
 */

interface StatementKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
}

type Members = Record<string, unknown>;

/** Members about the current visibility, which may change. */
const NOT_SIGNED = ['publication', 'transactionId', 'beneficiaryHiddenUntil', 'signature'];
const TYPE = 'retirement-statement+sd-jwt';
const HIDEABLE = ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'];

const fail = (reason: string): never => {
  throw new Error(reason);
};

/** Parses JSON with a conversion of numbers from their text: some do not fit a double exactly. */
const parsed = (text: string, numberOf: (written: string) => unknown): Members =>
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? numberOf(context?.source ?? String(value)) : value,
  ) as Members;

/** Parses JSON. Numbers become strings as written. */
export const readJson = (text: string): Members => parsed(text, (written) => written);

/** Parses JSON. Numbers stay distinct from strings. */
const comparable = (text: string): Members => parsed(text, (number) => ({ number }));

/** Returns the same text for equal values, independent of the order of members. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));

const base64urlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const jsonOf = (base64url: string): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(base64url));

/** A statement with the longest names and a thousand ranges has 3.7 million characters. */
const CHARACTERS_AT_MOST = 4_194_304;
/** A statement of a thousand ranges has 15,020 values. */
const VALUES_AT_MOST = 30_000;
const HEADER_CHARACTERS_AT_MOST = 1_024;
/** 64 bytes in base64url. */
const SIGNATURE_CHARACTERS = 86;

/** Finds the member `signature` without parsing. In a string, its quotes would be escaped. */
function findSignature(text: string): string {
  const member = '"signature"';
  for (let at = text.indexOf(member); at >= 0; at = text.indexOf(member, at + 1)) {
    const start = at + member.length;
    const [before] = /^\s{0,9}:\s{0,9}"/.exec(text.slice(start, start + 20)) ?? [];
    const end = before === undefined ? -1 : text.indexOf('"', start + before.length);
    if (before !== undefined && end >= 0) return text.slice(start + before.length, end);
  }
  return fail('The statement has no signature.');
}

/** Splits an SD-JWT into its JWS and its disclosures, and the JWS into its three parts. */
function splitSignature(signature: string): { readonly jws: readonly string[]; readonly disclosures: string[] } {
  const [jws = '', ...disclosures] = signature.split('~', HIDEABLE.length + 3);
  if (disclosures.pop() !== '') fail('The signature is incomplete.');
  if (disclosures.length > HIDEABLE.length) fail('The signature has too many disclosures.');
  const parts = jws.split('.', 4);
  const [header = '', , last = ''] = parts;
  const isForm =
    parts.length === 3 && header.length <= HEADER_CHARACTERS_AT_MOST && last.length === SIGNATURE_CHARACTERS;
  return isForm ? { jws: parts, disclosures } : fail('The signature format is not that of a statement.');
}

/** Returns the signed payload. @throws Error unless one of the keys signed it */
async function openPayload(
  [header = '', payload = '', signature = '']: readonly string[],
  keys: readonly StatementKey[],
) {
  const { alg, typ, kid, ...others } = readJson(jsonOf(header));
  const isOurs = alg === 'EdDSA' && typ === TYPE && Object.keys(others).length === 0;
  if (!isOurs) fail('The signature format is not that of a statement.');
  const { kty, crv, x } = keys.find((key) => key.kid === kid) ?? fail('The signing key is not published.');
  const bytes = bytesOf(signature);
  // Unused bits of the last character must be zero.
  if (base64urlOf(bytes) !== signature) fail('The signature is not valid base64url.');
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const isSigned = await crypto.subtle.verify('Ed25519', key, bytes, new TextEncoder().encode(`${header}.${payload}`));
  return isSigned ? jsonOf(payload) : fail('The signature does not belong to this statement.');
}

/** Rejects a text with too many values before it is parsed. */
function limitValues(text: string): void {
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1;
  }
  if (values > VALUES_AT_MOST) fail('The text has more values than a statement can have.');
}

/** Adds disclosed members. @throws Error for a disclosure that was not signed */
async function reveal(signed: Members, digests: unknown, disclosures: readonly string[]): Promise<void> {
  for (const disclosure of disclosures) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(disclosure));
    if (!(digests as string[]).includes(base64urlOf(new Uint8Array(digest)))) fail('A disclosure is not signed.');
    const [, name, value] = comparable(jsonOf(disclosure)) as unknown as [string, string, unknown];
    if (!HIDEABLE.includes(name) || name in signed) fail(`${name} is disclosed twice or cannot be hidden.`);
    signed[name] = value;
  }
}

/**
 * Checks that every member of a statement has its signed value. The signature is verified before the text is parsed, so
 * that foreign texts cost little.
 * @param text the statement as JSON
 * @returns its members, with numbers as strings
 * @throws Error with the reason for readers
 */
export async function checkStatement(text: string, keys: readonly StatementKey[]): Promise<Members> {
  if (text.length > CHARACTERS_AT_MOST) fail('The text is longer than a statement can be.');
  const signature = findSignature(text);
  const { jws, disclosures } = splitSignature(signature);
  const { _sd, _sd_alg, ...signed } = comparable(await openPayload(jws, keys));
  if (_sd_alg !== 'sha-256') fail('The signature format is not that of a statement.');
  await reveal(signed, _sd, disclosures);
  limitValues(text);
  const shown = comparable(text);
  if (shown['signature'] !== signature) fail('The statement has two signatures.');
  for (const name of new Set([...Object.keys(signed), ...Object.keys(shown)])) {
    if (!NOT_SIGNED.includes(name) && canonical(shown[name]) !== canonical(signed[name]))
      fail(`${name} differs from the signed value.`);
  }
  return readJson(text);
}
