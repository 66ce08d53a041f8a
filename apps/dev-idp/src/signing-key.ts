import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { JWK } from 'jose';

export const SIGNING_ALGORITHM = 'ES256';

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
  const key = (JSON.parse(text) as { keys?: JWK[] }).keys?.[0];
  if (key?.alg !== SIGNING_ALGORITHM || !key.d || !key.kid)
    throw new Error(`${file} holds no private ${SIGNING_ALGORITHM} key`);
  return key;
}

/**
 * The key that signs tokens: from the file (a JSON Web Key Set with a private key), made there when it is missing, readable by
 * its owner only. Without a file it lives as long as the process.
 */
export async function signingKey(file: string | undefined): Promise<JWK> {
  const present = file === undefined ? undefined : await readKeyFile(file);
  if (present) return present;
  const key = await newSigningKey();
  if (file !== undefined) {
    // Written beside it and renamed, so that a crash never leaves half a key.
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, `${JSON.stringify({ keys: [key] })}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  }
  return key;
}
