import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

export const AUDIENCE = 'saleschannel-api';

export interface TokenChanges {
  header?: { alg?: string; typ?: string; kid?: string };
  claims?: JWTPayload;
  /** Seconds from now; default an hour. */
  expiresIn?: number;
  /** The key it is signed with; default the issuer's own. */
  key?: CryptoKey | Uint8Array;
}

export interface TestIssuer {
  readonly issuer: string;
  token(subject: string | undefined, changes?: TokenChanges): Promise<string>;
  /** Signs with a new key from now on; tokens of the old one are worth nothing once the set is read again. */
  rotate(): Promise<void>;
  /** Off: every request is answered with 503. */
  setReachable(isReachable: boolean): void;
  /** Off: no discovery document, as with issuers that are plain OAuth 2.0. */
  setDiscovery(discovery: 'right' | 'none' | 'of another issuer'): void;
  readonly requests: string[];
  stop(): Promise<void>;
}

/** A tiny OpenID Connect issuer: discovery, key set and tokens. */
export async function startIssuer(): Promise<TestIssuer> {
  let reachable = true;
  let discovery: 'right' | 'none' | 'of another issuer' = 'right';
  let keyNumber = 0;
  let privateKey: CryptoKey;
  let publicKeys: JWK[] = [];
  const requests: string[] = [];

  async function rotate(): Promise<void> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    keyNumber += 1;
    privateKey = pair.privateKey;
    publicKeys = [{ ...(await exportJWK(pair.publicKey)), kid: `key-${keyNumber}`, alg: 'ES256', use: 'sig' }];
  }
  await rotate();

  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
    };
    if (!reachable) return answer(503, {});
    if (request.url === '/jwks' || request.url === '/keys-by-discovery') return answer(200, { keys: publicKeys });
    if (request.url === '/.well-known/openid-configuration' && discovery !== 'none') {
      return answer(200, {
        issuer: discovery === 'right' ? issuer : 'https://other.example',
        jwks_uri: `${issuer}/keys-by-discovery`,
      });
    }
    return answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    rotate,
    setReachable: (value) => void (reachable = value),
    setDiscovery: (value) => void (discovery = value),
    token(subject, { header, claims, expiresIn = 3_600, key } = {}) {
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        iss: issuer,
        aud: AUDIENCE,
        iat: now,
        exp: now + expiresIn,
        ...(subject === undefined ? {} : { sub: subject }),
        ...claims,
      };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: `key-${keyNumber}`, ...header })
        .sign(key ?? privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
