import { describe, expect, test } from '@jest/globals';
import { importJWK, SignJWT, type JWTPayload } from 'jose';
import {
  createPrincipalSigner,
  createServiceTokens,
  createTokenVerifier,
  generateServiceKeys,
  PRINCIPAL_LIFETIME_MS,
  publicKeysSchema,
  serviceKeyRotation,
  type KeyHolder,
  type Principal,
  type ServiceKeys,
} from '@saleschannel/auth';

const keys = await generateServiceKeys(['gateway', 'identity', 'rbac']);
const keyOf = (name: string, { privateKeys }: ServiceKeys = keys) => {
  const key = privateKeys[name];
  if (!key) throw new Error(`no key of ${name}`);
  return key;
};
const createVerifier = (receiver: KeyHolder, { publicKeys }: ServiceKeys = keys) =>
  createTokenVerifier(publicKeys, receiver);
const refusal = 'The internal token is not valid.';
const principal: Principal = { kind: 'registry', keyId: 'k', accountHolderId: 'h' };
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Signs a faulty token with the right key. Undefined omits a claim. */
async function signed(typ: string, claims: JWTPayload, name = 'gateway'): Promise<string> {
  const { kid = name, ...key } = keyOf(name);
  const usual = { iss: name, aud: 'rbac', iat: nowSeconds(), exp: nowSeconds() + 5 };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ, kid })
    .sign(await importJWK(key, 'EdDSA'));
}

describe('a service token', () => {
  test('is for one receiver, and cached for each', async () => {
    const tokens = await createServiceTokens('gateway', keyOf('gateway'));
    const forRbac = await tokens.getToken('rbac');
    expect(await tokens.getToken('rbac')).toBe(forRbac);
    expect(await tokens.getToken('traders')).not.toBe(forRbac);
    expect(await createVerifier('rbac').verifyService(forRbac)).toBe('gateway');
    await expect(createVerifier('traders').verifyService(forRbac)).rejects.toThrow(refusal);
  });

  test('is replaced once a fast clock is corrected', async () => {
    let fastByMs = 3_600_000;
    const tokens = await createServiceTokens('gateway', keyOf('gateway'), { now: () => Date.now() + fastByMs });
    await expect(createVerifier('rbac').verifyService(await tokens.getToken('rbac'))).rejects.toThrow(refusal);
    fastByMs = 0;
    expect(await createVerifier('rbac').verifyService(await tokens.getToken('rbac'))).toBe('gateway');
  });

  test('is accepted if it is correct', async () => {
    expect(await createVerifier('rbac').verifyService(await signed('service+jwt', {}))).toBe('gateway');
  });

  test.each<[string, JWTPayload]>([
    ['without a receiver', { aud: undefined }],
    ['for several receivers', { aud: ['rbac', 'traders'] }],
    ['for any receiver', { aud: '*' }],
    ['without an expiry', { exp: undefined }],
    ['without an issue time', { iat: undefined }],
    ['that expires too late', { exp: nowSeconds() + 86_400 }],
    ['with an infinite expiry', { exp: 1e308 }],
    ['issued in the future', { iat: nowSeconds() + 3_600, exp: nowSeconds() + 3_605 }],
    ['issued too long ago', { iat: nowSeconds() - 86_400 }],
    ['with the name of another service', { iss: 'identity' }],
    ['without an issuer', { iss: undefined }],
  ])('%s is refused', async (_what, claims) => {
    await expect(createVerifier('rbac').verifyService(await signed('service+jwt', claims))).rejects.toThrow(refusal);
  });

  test('is not accepted as a principal token, nor the reverse', async () => {
    const asPrincipal = await signed('principal+jwt', { principal }, 'identity');
    await expect(createVerifier('rbac').verifyService(asPrincipal)).rejects.toThrow(refusal);
    await expect(
      createVerifier('rbac').verifyPrincipal(await signed('service+jwt', { principal }, 'identity')),
    ).rejects.toThrow(refusal);
  });

  test('cannot be signed with the key of another service', async () => {
    await expect(createServiceTokens('gateway', keyOf('rbac'))).rejects.toThrow('must be the key of "gateway"');
  });
});

describe('a principal token', () => {
  test('is accepted by its receivers only', async () => {
    const signer = await createPrincipalSigner(keyOf('identity'));
    const token = await signer.sign(principal, ['gateway', 'events']);
    expect(await createVerifier('events').verifyPrincipal(token)).toEqual(principal);
    expect(await createVerifier('gateway').verifyPrincipal(token)).toEqual(principal);
    for (const other of ['identity', 'rbac', 'tasks'] as const)
      await expect(createVerifier(other).verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test.each<[string, JWTPayload]>([
    ['without a receiver', { aud: undefined }],
    ['for other services', { aud: ['gateway', 'events'] }],
    ['without an expiry', { exp: undefined }],
    ['without an issue time', { iat: undefined }],
    ['that expires too late', { exp: nowSeconds() + 3_600 }],
    ['issued in the future', { iat: nowSeconds() + 60, exp: nowSeconds() + 65 }],
  ])('%s is refused', async (_what, claims) => {
    const token = await signed('principal+jwt', { principal, ...claims }, 'identity');
    await expect(createVerifier('rbac').verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test('is rejected unless identity signed it', async () => {
    const token = await signed('principal+jwt', { principal });
    await expect(createVerifier('rbac').verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test('that expired in transit is reported as unavailable', async () => {
    const signer = await createPrincipalSigner(keyOf('identity'), {
      now: () => new Date(Date.now() - 2 * PRINCIPAL_LIFETIME_MS),
    });
    const token = await signer.sign(principal, ['rbac']);
    await expect(createVerifier('rbac').verifyPrincipal(token)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('the rotation of keys', () => {
  const accepts = async (signing: ServiceKeys, checking: ServiceKeys): Promise<boolean> => {
    const tokens = await createServiceTokens('gateway', keyOf('gateway', signing));
    const signer = await createPrincipalSigner(keyOf('identity', signing));
    const verifier = createVerifier('rbac', checking);
    const [service, user] = [await tokens.getToken('rbac'), await signer.sign(principal, ['rbac'])];
    const results = await Promise.allSettled([verifier.verifyService(service), verifier.verifyPrincipal(user)]);
    return results.every(({ status }) => status === 'fulfilled');
  };

  test('services before and after each step accept the tokens of each other', async () => {
    const prepared = await serviceKeyRotation.prepare(keys);
    const switched = await serviceKeyRotation.switch(prepared);
    const finished = await serviceKeyRotation.finish(switched);
    for (const [before, after] of [
      [keys, prepared],
      [prepared, switched],
      [switched, finished],
    ] as const) {
      expect(await accepts(before, after)).toBe(true);
      expect(await accepts(after, before)).toBe(true);
    }
    expect(await accepts(keys, finished)).toBe(false);
    expect(finished.publicKeys.keys).toHaveLength(3);
  });

  test('keys of older releases, without a name of their own, are rotated too', async () => {
    const nameOnly = <T extends { kid?: string | undefined }>(key: T): T => ({ ...key, kid: key.kid?.split('.')[0] });
    const old: ServiceKeys = {
      privateKeys: Object.fromEntries(Object.entries(keys.privateKeys).map(([name, key]) => [name, nameOnly(key)])),
      publicKeys: { keys: keys.publicKeys.keys.map(nameOnly) },
    };
    const prepared = await serviceKeyRotation.prepare(old);
    const switched = await serviceKeyRotation.switch(prepared);
    expect(await accepts(old, prepared)).toBe(true);
    expect(await accepts(prepared, old)).toBe(true);
    expect(await accepts(old, switched)).toBe(true);
    expect(await accepts(switched, prepared)).toBe(true);
    expect(await accepts(old, await serviceKeyRotation.finish(switched))).toBe(false);
  });

  test('rejects steps out of order', async () => {
    const prepared = await serviceKeyRotation.prepare(keys);
    const switched = await serviceKeyRotation.switch(prepared);
    await expect(serviceKeyRotation.switch(keys)).rejects.toThrow('"prepare" comes first');
    await expect(serviceKeyRotation.prepare(prepared)).rejects.toThrow('"switch" is next');
    await expect(serviceKeyRotation.finish(prepared)).rejects.toThrow('"switch" is next');
    await expect(serviceKeyRotation.prepare(switched)).rejects.toThrow('"finish" is next');
    expect(await serviceKeyRotation.finish(keys)).toEqual(keys);
  });
});

test('two public keys with the same name are rejected', () => {
  const [key] = keys.publicKeys.keys;
  expect(() => publicKeysSchema.parse({ keys: [key, key] })).toThrow('two keys with one kid');
});
