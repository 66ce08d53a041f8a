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

const others = await generateServiceKeys(['gateway', 'identity']);
const createSigner = ({ privateKeys }: ServiceKeys = keys, options = {}) =>
  createPrincipalSigner(privateKeys['identity'] ?? {}, options);
const principalAt = (index: number): Principal => ({ kind: 'registry', keyId: `k${index}`, accountHolderId: 'h' });

/** Requests tokens in one turn of the event loop. */
async function signTokens(count: number, signer?: Awaited<ReturnType<typeof createSigner>>): Promise<string[]> {
  const used = signer ?? (await createSigner());
  return Promise.all(Array.from({ length: count }, (_, index) => used.sign(principalAt(index), ['tasks'])));
}

const changed = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

describe('principal tokens that share a signature', () => {
  test.each([2, 3, 4, 5, 7, 8, 31, 100, 1_500])('are each valid on their own, out of %i', async (count) => {
    const tokens = await signTokens(count);
    const verifier = createVerifier();
    const principals = await Promise.all(tokens.map((token) => verifier.verifyPrincipal(token)));
    expect(principals).toEqual(tokens.map((_, index) => principalAt(index)));
    expect(tokens.every((token) => token.split('.').length === 4)).toBe(true);
  });

  test('a single token is an ordinary JWT', async () => {
    const [token = ''] = await signTokens(1);
    expect(token.split('.')).toHaveLength(3);
    expect(await createVerifier().verifyPrincipal(token)).toEqual(principalAt(0));
  });

  test('are accepted by their receivers only', async () => {
    for (const token of await signTokens(2))
      await expect(createVerifier('events').verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test('expire with their credentials', async () => {
    const signer = await createSigner();
    const past = new Date(Date.now() - 10_000);
    const [ended = '', open = ''] = await Promise.all([
      signer.sign(principalAt(0), ['tasks'], past),
      signer.sign(principalAt(1), ['tasks']),
    ]);
    await expect(createVerifier().verifyPrincipal(ended)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await createVerifier().verifyPrincipal(open)).toEqual(principalAt(1));
  });

  test('are rejected if they are valid for too long, or start in the future', async () => {
    const long = await signTokens(2, await createSigner(keys, { lifetimeMs: 2 * PRINCIPAL_LIFETIME_MS }));
    const early = await signTokens(2, await createSigner(keys, { now: () => new Date(Date.now() + 60_000) }));
    for (const token of [...long, ...early])
      await expect(createVerifier().verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test('are rejected if another service signed them, under any key name', async () => {
    const [kid] = keys.publicKeys.keys.filter(({ kid: name }) => name?.startsWith('identity')).map((key) => key.kid);
    const privateKeys = {
      identity: { ...others.privateKeys['identity'], kid },
    } as unknown as ServiceKeys['privateKeys'];
    const byUnknownKey = await signTokens(2, await createSigner(others));
    const byOtherService = await signTokens(2, await createSigner({ ...others, privateKeys }));
    for (const token of [...byUnknownKey, ...byOtherService])
      await expect(createVerifier().verifyPrincipal(token)).rejects.toThrow(refusal);
  });

  test('cannot be recombined', async () => {
    const [one = '', other = ''] = await signTokens(8);
    const [header = '', claims = '', signature = '', path = ''] = one.split('.');
    const [, otherClaims = '', , otherPath = ''] = other.split('.');
    const [single = ''] = await signTokens(1);
    const [singleHeader = '', singleClaims = '', singleSignature = ''] = single.split('.');
    const bytes = Buffer.from(path, 'base64url');
    const forged = [
      [header, otherClaims, signature, path],
      [header, claims, signature, otherPath],
      [header, claims, changed(signature), path],
      [header, claims, signature, ''],
      [header, claims, signature, bytes.subarray(0, 33).toString('base64url')],
      [header, claims, signature, bytes.subarray(1).toString('base64url')],
      [header, claims, signature, Buffer.concat(Array.from({ length: 9 }, () => bytes)).toString('base64url')],
      [header, claims, singleSignature, ''],
      [singleHeader, singleClaims, singleSignature, ''],
      [header, claims, signature],
      [changed(header), claims, signature, path],
      ['', '', '', ''],
    ];
    const verifier = createVerifier();
    expect(await verifier.verifyPrincipal(one)).toEqual(principalAt(0));
    for (const parts of forged) await expect(verifier.verifyPrincipal(parts.join('.'))).rejects.toThrow(refusal);
  });

  test('an inner hash of the tree does not pass for claims', async () => {
    // The root of a tree of two is signed. The concatenated leaves would be a leaf of another tree.
    const [one = ''] = await signTokens(2);
    const [header = '', , signature = '', path = ''] = one.split('.');
    const inner = Buffer.from(path, 'base64url').subarray(1).toString('base64url');
    await expect(createVerifier().verifyPrincipal([header, inner, signature, ''].join('.'))).rejects.toThrow(refusal);
  });
});

const keys = await generateServiceKeys(['gateway', 'identity', 'rbac']);
const keyOf = (name: string, { privateKeys }: ServiceKeys = keys) => {
  const key = privateKeys[name];
  if (!key) throw new Error(`no key of ${name}`);
  return key;
};
const createVerifier = (receiver: KeyHolder = 'tasks', { publicKeys }: ServiceKeys = keys) =>
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
