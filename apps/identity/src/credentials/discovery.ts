import { z } from 'zod';

const FETCH_TIMEOUT_MS = 2_000;
/** Far above the size of any issuer's metadata or keys. */
const MAX_BYTES = 1_048_576;

/** Members used of OpenID Provider Metadata (OpenID Connect Discovery section 3). */
const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });

/**
 * Finds the URL of an issuer's keys by OpenID Connect Discovery section 4, or `<issuer>/jwks` without a discovery
 * document.
 */
export async function findKeySet(issuer: string): Promise<string> {
  const base = issuer.replace(/\/$/, '');
  const response = await get(`${base}/.well-known/openid-configuration`);
  if (response.status === 404) {
    await response.body?.cancel();
    return `${base}/jwks`;
  }
  const document = discoveryDocument.parse(await readJson(response));
  // Required by section 4.3.
  if (document.issuer !== issuer)
    throw new Error(`The discovery document at ${base} names the issuer ${document.issuer} instead of ${issuer}.`);
  return document.jwks_uri;
}

export const fetchJson = async (url: string): Promise<unknown> => readJson(await get(url));

const get = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });

async function readJson(response: Response): Promise<unknown> {
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${response.url} answered ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${response.url} answered more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
