import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';

export const SIGNING_ALGORITHM = 'ES256';

/** A JSON Web Key Set whose first key is private. */
const keySet = z.object({
  keys: z.tuple(
    [
      z.looseObject({
        kty: z.string(),
        alg: z.literal(SIGNING_ALGORITHM),
        kid: z.string().min(1),
        d: z.string().min(1),
      }),
    ],
    z.unknown(),
  ),
});

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, alg: SIGNING_ALGORITHM, use: 'sig', kid: await calculateJwkThumbprint(jwk) };
}

async function readKeyFile(file: string): Promise<JWK | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const { data } = keySet.safeParse(JSON.parse(text));
  if (!data) throw new Error(`The file ${file} contains no private ${SIGNING_ALGORITHM} key.`);
  return data.keys[0];
}

/**
 * Loads the key that signs tokens from a file, a JSON Web Key Set with a private key. Creates a missing file, readable
 * only by its owner. Without a file the key lives as long as the process.
 */
export async function loadSigningKey(file: string | undefined): Promise<JWK> {
  const stored = file === undefined ? undefined : await readKeyFile(file);
  if (stored) return stored;
  const key = await newSigningKey();
  if (file !== undefined) {
    // Written to another file and renamed, so that a crash never leaves half a key.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify({ keys: [key] })}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  }
  return key;
}
