import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { z } from 'zod';

/** Programs with a service key, by which other programs identify them. */
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
  readonly privateKeys: Readonly<Record<string, JWK>>;
  /** Public keys of all services. A service may have several, and all of them are accepted. */
  readonly publicKeys: JSONWebKeySet;
  /** Keys that take over once every service knows their public halves. Only during a rotation. */
  readonly nextPrivateKeys?: Readonly<Record<string, JWK>> | undefined;
}

/** Prefix of a thumbprint (RFC 7638), long enough to distinguish the keys of one service. */
const KEY_NAME_LENGTH = 8;

/** Name of the service in a `kid`, which is `<name>` or `<name>.<key>`. */
export const readOwner = (kid: string): string => kid.split('.', 1)[0] ?? kid;

/** Generates the Ed25519 key pairs by which services identify each other. */
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

const outOfOrder = (why: string): Error => new Error(`The service keys cannot be rotated with this step: ${why}`);

/**
 * Rotation of service keys in three steps. Every service must have taken a step before the next one, so that each
 * always knows the keys that the others sign with.
 * @throws Error for a step that is not the next one
 */
export const serviceKeyRotation = {
  /** Generates new keys and publishes their public halves. No service signs with them yet. */
  async prepare(keys: ServiceKeys): Promise<ServiceKeys> {
    if (keys.nextPrivateKeys) throw outOfOrder('new keys are already prepared, so "switch" is next.');
    if (keys.publicKeys.keys.length > Object.keys(keys.privateKeys).length)
      throw outOfOrder('keys of the last rotation are still accepted, so "finish" is next.');
    const generated = await generateServiceKeys(Object.keys(keys.privateKeys));
    return {
      privateKeys: keys.privateKeys,
      publicKeys: { keys: [...keys.publicKeys.keys, ...generated.publicKeys.keys] },
      nextPrivateKeys: generated.privateKeys,
    };
  },
  /** Signs with the new keys. The old ones are still accepted. */
  async switch({ privateKeys, publicKeys, nextPrivateKeys }: ServiceKeys): Promise<ServiceKeys> {
    if (!nextPrivateKeys) throw outOfOrder('no new keys are prepared, and "prepare" comes first.');
    return { privateKeys: { ...privateKeys, ...nextPrivateKeys }, publicKeys };
  },
  /** Accepts only the new keys. */
  async finish({ privateKeys, publicKeys, nextPrivateKeys }: ServiceKeys): Promise<ServiceKeys> {
    if (nextPrivateKeys) throw outOfOrder('the new keys do not sign yet, so "switch" is next.');
    const inUse = new Set(Object.values(privateKeys).map(({ x }) => x));
    return { privateKeys, publicKeys: { keys: publicKeys.keys.filter(({ x }) => inUse.has(x)) } };
  },
} as const;

export const privateKeySchema = z
  .looseObject({ kty: z.string(), crv: z.string(), d: z.string() }, { error: 'must be a private JWK (Ed25519)' })
  .transform((key): JWK => key);

/**
 * Setting with the public keys of all services. Each `kid` names the service, no key is private, and no two have the
 * same `kid`.
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
