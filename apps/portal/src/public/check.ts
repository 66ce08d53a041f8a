/**
 * Checks a statement by nothing but itself and the published keys (RFC 9901 section 7.1). The server runs this, and
 * browsers get the same file without its types: it imports nothing and uses what both have.
 */

/** A public key of those that statements are signed with (RFC 8037). */
interface StatementKey {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
}

type Members = Record<string, unknown>;

/** They say who may see the statement now, and may change. */
const NOT_SIGNED = ['publication', 'transactionId', 'beneficiaryHiddenUntil', 'signature'];
const TYPE = 'retirement-statement+sd-jwt';
const HIDEABLE = ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'];

const fail = (reason: string): never => {
  throw new Error(reason);
};

/** JSON whose numbers are told by what is written: some are larger than a double holds exactly. */
const parsed = (text: string, numberOf: (written: string) => unknown): Members =>
  JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? numberOf(context?.source ?? String(value)) : value,
  ) as Members;

/** JSON with numbers as they are written. */
export const readJson = (text: string): Members => parsed(text, (written) => written);

/** As above, and a number is not the text that looks like it. */
const comparable = (text: string): Members => parsed(text, (number) => ({ number }));

/** The same text for the same value, whatever the order of its members. */
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

/** The signed payload. @throws Error unless one of the keys signed it */
async function payloadOf(jws: string, keys: readonly StatementKey[]): Promise<string> {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  const { alg, typ, kid, ...others } = readJson(jsonOf(header));
  const isOurs = alg === 'EdDSA' && typ === TYPE && Object.keys(others).length === 0 && more.length === 0;
  if (!isOurs) fail('It is signed in another way than statements are.');
  const { kty, crv, x } = keys.find((key) => key.kid === kid) ?? fail('The key that signed it is not ours.');
  const bytes = bytesOf(signature);
  // The last character has bits that mean nothing. They must be zero.
  if (base64urlOf(bytes) !== signature) fail('The signature is not written in base64url.');
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, 'Ed25519', false, ['verify']);
  const isSigned = await crypto.subtle.verify('Ed25519', key, bytes, new TextEncoder().encode(`${header}.${payload}`));
  return isSigned ? jsonOf(payload) : fail('The signature does not belong to this statement.');
}

/** Adds what the disclosures reveal. @throws Error for one that was not signed */
async function reveal(signed: Members, digests: unknown, disclosures: readonly string[]): Promise<void> {
  for (const disclosure of disclosures) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(disclosure));
    if (!(digests as string[]).includes(base64urlOf(new Uint8Array(digest)))) fail('A disclosure was not signed.');
    const [, name, value] = comparable(jsonOf(disclosure)) as unknown as [string, string, unknown];
    if (!HIDEABLE.includes(name) || name in signed) fail(`${name} is revealed twice, or may not be hidden.`);
    signed[name] = value;
  }
}

/**
 * Checks that every member of a statement is what was signed.
 * @param text the statement as JSON
 * @returns its members, with numbers as they are written
 * @throws Error that says why it is not valid
 */
export async function checked(text: string, keys: readonly StatementKey[]): Promise<Members> {
  const shown = comparable(text);
  if (typeof shown?.['signature'] !== 'string') fail('It has no signature.');
  const [jws = '', ...disclosures] = String(shown['signature']).split('~');
  if (disclosures.pop() !== '') fail('The signature has no end.');
  const { _sd, _sd_alg, ...signed } = comparable(await payloadOf(jws, keys));
  if (_sd_alg !== 'sha-256') fail('It is signed in another way than statements are.');
  await reveal(signed, _sd, disclosures);
  for (const name of new Set([...Object.keys(signed), ...Object.keys(shown)])) {
    if (!NOT_SIGNED.includes(name) && canonical(shown[name]) !== canonical(signed[name]))
      fail(`${name} is not what was signed.`);
  }
  return readJson(text);
}
