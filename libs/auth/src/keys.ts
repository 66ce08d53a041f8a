import { exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { z } from 'zod';

/** Every program with a key by which the others know it. */
export const keyHolders = [
  'gateway',
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'admin',
] as const;
export type KeyHolder = (typeof keyHolders)[number];

export interface ServiceKeys {
  /** By service name. Each belongs to that service alone. */
  readonly privateKeys: Record<string, JWK>;
  /** Known to all. */
  readonly publicKeys: JSONWebKeySet;
}

/** Ed25519 key pairs by which services know each other. `kid` is the service name. */
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

/** A service's private key in its configuration. */
export const privateKeySchema = z
  .looseObject({ kty: z.string(), crv: z.string(), d: z.string() }, { error: 'must be a private JWK (Ed25519)' })
  .transform((key): JWK => key);

/** The public keys of all services in their configuration: every key says whose it is, and none is private. */
export const publicKeysSchema = z
  .object(
    { keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), d: z.undefined().optional() })) },
    { error: 'must be a JWK Set of public keys, each with the service name as kid' },
  )
  .transform((set): JSONWebKeySet => set);
