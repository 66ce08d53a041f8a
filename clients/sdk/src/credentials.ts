/**
 * Source of access tokens, called before every request, so it should cache. Called once more after a 401, with the
 * refused token.
 */
export type AccessTokens = (context: { readonly refused: string | undefined }) => string | Promise<string>;

/** An API key, or access tokens of the identity provider. */
export type Credentials =
  { readonly apiKeyId: string; readonly passphrase: string } | { readonly accessToken: string | AccessTokens };

/** Authenticates requests. */
export interface Authorizer {
  /** Whether a 401 may be cured by another token. */
  readonly canRenew: boolean;
  /** @param refused header that was refused. @returns `Authorization` header */
  header(refused: string | undefined): Promise<string>;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

const BEARER = 'Bearer ';
/** RFC 6750 section 2.1. */
const TOKEN = /^[\w.~+/-]+=*$/;

/** @throws TypeError that does not contain the token, unlike the platform's error */
function formatBearer(token: string): string {
  if (TOKEN.test(token)) return `${BEARER}${token}`;
  throw new TypeError('accessToken contains characters that RFC 6750 does not allow');
}

export function createAuthorizer(credentials: Credentials): Authorizer {
  if ('apiKeyId' in credentials) {
    const { apiKeyId, passphrase } = credentials;
    if (apiKeyId === '' || apiKeyId.includes(':')) throw new TypeError('apiKeyId is not the id of an API key');
    const header = `Basic ${base64(`${apiKeyId}:${passphrase}`)}`;
    return { canRenew: false, header: () => Promise.resolve(header) };
  }
  const { accessToken } = credentials;
  if (typeof accessToken === 'string') {
    const header = formatBearer(accessToken);
    return { canRenew: false, header: () => Promise.resolve(header) };
  }
  return {
    canRenew: true,
    header: async (refused) => formatBearer(await accessToken({ refused: refused?.slice(BEARER.length) })),
  };
}
