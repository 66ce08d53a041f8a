import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generateServiceKeys, type ServiceKeys } from '@saleschannel/auth';
import { brokerServices, databaseServices, keyHolders } from './services.ts';

export interface Secrets {
  serviceKeys: ServiceKeys;
  databasePasswords: Record<string, string>;
  brokerPasswords: Record<string, string>;
  apiKeyPepper: string;
}

const randomText = (): string => randomBytes(24).toString('base64url');

const passwordsFor = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, randomText()]));

/** Writes a file that only its owner reads, whole or not at all. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** The stack's secrets: made at the first start, kept for the next ones. */
export async function readOrMakeSecrets(path: string): Promise<Secrets> {
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Secrets;
  const secrets: Secrets = {
    serviceKeys: await generateServiceKeys(keyHolders),
    databasePasswords: passwordsFor(databaseServices),
    brokerPasswords: passwordsFor([...brokerServices, 'admin']),
    apiKeyPepper: randomBytes(32).toString('base64'),
  };
  writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}
