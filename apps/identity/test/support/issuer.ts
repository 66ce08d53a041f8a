import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey } from 'jose';

export const AUDIENCE = 'saleschannel-api';

export interface TokenChanges {
  header?: { alg?: string; typ?: string; kid?: string };
  /** Undefined leaves a claim out. */
  claims?: Record<string, unknown>;
  /** Seconds from now; default an hour. */
  expiresIn?: number;
  /** The key it is signed with; default the issuer's own. */
  key?: CryptoKey | Uint8Array;
}

type Discovery = 'right' | 'none' | 'of another issuer';

export interface TestIssuer {
  readonly issuer: string;
  readonly requests: string[];
  token(subject: string | undefined, changes?: TokenChanges): Promise<string>;
  /** Off: each request is answered with 503. */
  setReachable(isReachable: boolean): void;
  /** None: no discovery document, as with issuers that are plain OAuth 2.0. */
  setDiscovery(discovery: Discovery): void;
  stop(): Promise<void>;
}

const KEY_ID = 'key-1';

/** A tiny OpenID Connect issuer: discovery, key set and tokens. */
export async function startIssuer(): Promise<TestIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: 'ES256', use: 'sig' }];
  const requests: string[] = [];
  let isReachable = true;
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
    const { status, body } = answerOf(url);
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    setReachable: (value) => void (isReachable = value),
    setDiscovery: (value) => void (discovery = value),
    token(subject, { header, claims, expiresIn = 3_600, key } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = { iss: issuer, aud: AUDIENCE, iat: now, exp: now + expiresIn, sub: subject, ...claims };
      return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: KEY_ID, ...header })
        .sign(key ?? privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
