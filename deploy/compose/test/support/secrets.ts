import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, type Finished } from '../../../installation/test/support/programs.ts';

/** Runs `npm run compose:secrets` for a folder. */
export const generateSecrets = (folder: string, ...args: string[]): Finished =>
  runScript('deploy/compose/generate-secrets.ts', '--folder', folder, ...args);

export const secretFile = (folder: string, name: string): string => join(folder, '.secrets', name);

export const readSecret = (folder: string, name: string): string => readFileSync(secretFile(folder, name), 'utf8');

/** Creates a folder with generated secrets and settings. */
export function folderWithSecrets(...args: string[]): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'saleschannel-compose-'));
  const { status, stderr } = generateSecrets(folder, ...args);
  if (status !== 0) throw new Error(stderr);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
