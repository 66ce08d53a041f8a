import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';

export interface ServiceKeys {
  /** By service name; each belongs to that service alone. */
  readonly privateKeys: Record<string, JWK>;
  /** Known to all. */
  readonly publicKeys: JSONWebKeySet;
}

/** Ed25519 key pairs by which services know each other; `kid` is the service name. */
export async function generateServiceKeys(names: readonly string[]): Promise<ServiceKeys> {
  const privateKeys: Record<string, JWK> = {};
  const keys: JWK[] = [];
  for (const name of names) {
    const pair = await generateKeyPair('Ed25519', { extractable: true });
    privateKeys[name] = { ...(await exportJWK(pair.privateKey)), kid: name };
    keys.push({ ...(await exportJWK(pair.publicKey)), kid: name, use: 'sig' });
  }
  return { privateKeys, publicKeys: { keys } };
}

/** Reads a JWK from configuration. */
export function parsePrivateKey(value: unknown): JWK {
  if (typeof value !== 'object' || value === null || !('d' in value) || !('crv' in value))
    throw new Error('must be a private JWK (Ed25519)');
  return value as JWK;
}

/** Reads a JWK Set from configuration; every key must say whose it is. */
export function parsePublicKeys(value: unknown): JSONWebKeySet {
  const keys = (value as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.some((key: JWK) => typeof key.kid !== 'string' || 'd' in key)) {
    throw new Error('must be a JWK Set of public keys, each with the service name as kid');
  }
  return value as JSONWebKeySet;
}
