import { fileURLToPath } from 'node:url';
import { join, dirname } from 'node:path';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable by its owner only. */
export function writePrivateFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export const writePrivateJson = (path: string, value: unknown): void =>
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);

export const projectRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** Data, secrets and demo.json of a local stack. `npm run reset` deletes it. */
export const localFolder = join(projectRoot, '.local');
