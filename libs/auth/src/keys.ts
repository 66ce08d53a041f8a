import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { z } from 'zod';

/** Every program with a key by which the others know it. */
export const keyHolders = [
  'gateway',
  'portal',
  'identity',
  'rbac',
  'traders',
  'inventory',
  'tasks',
  'events',
  'registry-import',
  'webhooks',
  'sandbox',
  'admin',
] as const;
export type KeyHolder = (typeof keyHolders)[number];

export interface ServiceKeys {
  /** By service name. Each belongs to that service alone. */
  readonly privateKeys: Readonly<Record<string, JWK>>;
  /** Known to all. A service may have several: whatever one of them has signed is believed. */
  readonly publicKeys: JSONWebKeySet;
  /** While keys are exchanged: those that take over, once everybody knows their public halves. */
  readonly nextPrivateKeys?: Readonly<Record<string, JWK>> | undefined;
}

/** Enough of a thumbprint (RFC 7638) to tell the few keys of one service apart. */
const KEY_NAME_LENGTH = 8;

/** Whose key it is: a `kid` is the name of a service, or `<name>.<which of its keys>`. */
export const ownerOf = (kid: string): string => kid.split('.', 1)[0] ?? kid;

/** Ed25519 key pairs by which services know each other. */
export async function generateServiceKeys(names: readonly string[]): Promise<ServiceKeys> {
  const privateKeys: Record<string, JWK> = {};
  const keys: JWK[] = [];
  for (const name of names) {
    const pair = await generateKeyPair('Ed25519', { extractable: true });
    const publicKey = await exportJWK(pair.publicKey);
    const kid = `${name}.${(await calculateJwkThumbprint(publicKey)).slice(0, KEY_NAME_LENGTH)}`;
    privateKeys[name] = { ...(await exportJWK(pair.privateKey)), kid };
    keys.push({ ...publicKey, kid, use: 'sig' });
  }
  return { privateKeys, publicKeys: { keys } };
}

/** What the exchange of keys does not allow at this time. */
const refused = (why: string): Error => new Error(`The service keys cannot be rotated with this step: ${why}`);

/**
 * The exchange of service keys in three steps. Everybody takes each step before the next one is made, so that at any
 * time all know the keys that any of them signs with.
 * @throws Error for a step that is not the next one
 */
export const serviceKeyRotation = {
  /** New keys are drawn. All learn their public halves, and nobody signs with them yet. */
  async prepare(keys: ServiceKeys): Promise<ServiceKeys> {
    if (keys.nextPrivateKeys) throw refused('new keys are already prepared, so "switch" is next.');
    if (keys.publicKeys.keys.length > Object.keys(keys.privateKeys).length)
      throw refused('keys of the last rotation are still accepted, so "finish" is next.');
    const drawn = await generateServiceKeys(Object.keys(keys.privateKeys));
    return {
      privateKeys: keys.privateKeys,
      publicKeys: { keys: [...keys.publicKeys.keys, ...drawn.publicKeys.keys] },
      nextPrivateKeys: drawn.privateKeys,
    };
  },
  /** The new keys sign. The old ones are still believed. */
  async switch({ privateKeys, publicKeys, nextPrivateKeys }: ServiceKeys): Promise<ServiceKeys> {
    if (!nextPrivateKeys) throw refused('no new keys are prepared, and "prepare" comes first.');
    return { privateKeys: { ...privateKeys, ...nextPrivateKeys }, publicKeys };
  },
  /** Only keys that sign are believed. */
  async finish({ privateKeys, publicKeys, nextPrivateKeys }: ServiceKeys): Promise<ServiceKeys> {
    if (nextPrivateKeys) throw refused('the new keys do not sign yet, so "switch" is next.');
    const inUse = new Set(Object.values(privateKeys).map(({ x }) => x));
    return { privateKeys, publicKeys: { keys: publicKeys.keys.filter(({ x }) => inUse.has(x)) } };
  },
} as const;

/** A service's private key in its configuration. */
export const privateKeySchema = z
  .looseObject({ kty: z.string(), crv: z.string(), d: z.string() }, { error: 'must be a private JWK (Ed25519)' })
  .transform((key): JWK => key);

/**
 * The public keys of all services in their configuration: every key says whose it is, none is private, and no two have
 * one name.
 */
export const publicKeysSchema = z
  .object(
    { keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), d: z.undefined().optional() })) },
    { error: 'must be a JWK Set of public keys, each with "<service>" or "<service>.<key>" as kid' },
  )
  .refine(({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length, {
    error: 'must not have two keys with one kid',
  })
  .transform((set): JSONWebKeySet => set);
