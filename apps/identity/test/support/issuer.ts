import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey } from 'jose';

export const AUDIENCE = 'saleschannel-api';

export interface TokenChanges {
  header?: { alg?: string; typ?: string; kid?: string };
  /** Undefined omits a claim. */
  claims?: Record<string, unknown>;
  /** In seconds from now. Default: an hour. */
  expiresIn?: number;
  /** Signing key. Default: the issuer's own. */
  key?: CryptoKey | Uint8Array;
}

type Discovery = 'right' | 'none' | 'of another issuer';

export interface TestIssuer {
  readonly issuer: string;
  readonly requests: string[];
  token(subject: string | undefined, changes?: TokenChanges): Promise<string>;
  /** False answers each request with 503. */
  setReachable(isReachable: boolean): void;
  /** True leaves requests unanswered until it is false again. */
  setSilent(isSilent: boolean): void;
  /** Unanswered requests. */
  readonly waiting: number;
  /** Publishes another key, and signs with it from now on. */
  addKey(): Promise<void>;
  /** Publishes an empty key set. */
  withdrawKeys(): void;
  /** `none`: no discovery document, as at plain OAuth 2.0 issuers. */
  setDiscovery(discovery: Discovery): void;
  stop(): Promise<void>;
}

/** Starts a minimal OpenID Connect issuer with discovery, key set and tokens. */
export async function startIssuer(): Promise<TestIssuer> {
  const keys: object[] = [];
  let signing: { kid: string; privateKey: CryptoKey } | undefined;
  const addKey = async (): Promise<void> => {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    signing = { kid: `key-${keys.length + 1}`, privateKey };
    keys.push({ ...(await exportJWK(publicKey)), kid: signing.kid, alg: 'ES256', use: 'sig' });
  };
  await addKey();
  const requests: string[] = [];
  const silenced = new Set<() => void>();
  let isReachable = true;
  let isSilent = false;
  let discovery: Discovery = 'right';

  const answerOf = (path: string | undefined): { status: number; body: unknown } => {
    if (!isReachable) return { status: 503, body: {} };
    if (path === '/jwks' || path === '/keys-by-discovery') return { status: 200, body: { keys } };
    if (path !== '/.well-known/openid-configuration' || discovery === 'none') return { status: 404, body: {} };
    const document = {
      issuer: discovery === 'right' ? issuer : 'https://other.example',
      jwks_uri: `${issuer}/keys-by-discovery`,
    };
    return { status: 200, body: document };
  };
  const server = createServer(({ url }, response) => {
    requests.push(String(url));
    const answer = (): void => {
      const { status, body } = answerOf(url);
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
    };
    if (!isSilent) return answer();
    silenced.add(answer);
    response.once('close', () => silenced.delete(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    setReachable: (value) => void (isReachable = value),
    setSilent(value) {
      isSilent = value;
      if (!isSilent) for (const answer of silenced) answer();
    },
    get waiting() {
      return silenced.size;
    },
    addKey,
    withdrawKeys: () => void (keys.length = 0),
    setDiscovery: (value) => void (discovery = value),
    token(subject, { header, claims, expiresIn = 3_600, key } = {}) {
      if (!signing) throw new Error('The issuer has no key.');
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, aud: AUDIENCE, iat: now, exp: now + expiresIn, sub: subject, ...claims };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signing.kid, ...header })
        .sign(key ?? signing.privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
