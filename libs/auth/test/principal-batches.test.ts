import { describe, expect, test } from '@jest/globals';
import {
  createPrincipalSigner,
  createTokenVerifier,
  generateServiceKeys,
  PRINCIPAL_LIFETIME_MS,
  type KeyHolder,
  type Principal,
  type ServiceKeys,
} from '@saleschannel/auth';

const keys = await generateServiceKeys(['gateway', 'identity']);
const others = await generateServiceKeys(['gateway', 'identity']);
const createSigner = ({ privateKeys }: ServiceKeys = keys, options = {}) =>
  createPrincipalSigner(privateKeys['identity'] ?? {}, options);
const createVerifier = (receiver: KeyHolder = 'tasks') => createTokenVerifier(keys.publicKeys, receiver);
const refusal = 'The internal token is not valid.';
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
