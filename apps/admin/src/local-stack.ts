import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** A running stack of `npm start`. */
export interface LocalStack {
  readonly folder: string;
  /** Variables for this program. */
  readonly variables: NodeJS.Dict<string>;
}

/** Data folder of the local stack. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** Finds the running stack of this checkout. Undefined if none runs. */
export function findLocalStack(folder: string = localFolder): LocalStack | undefined {
  const file = join(folder, 'admin.env');
  if (!existsSync(file) || !isRunning(join(folder, 'stack.pid'))) return undefined;
  return { folder, variables: parseEnv(readFileSync(file, 'utf8')) };
}

function isRunning(pidFile: string): boolean {
  if (!existsSync(pidFile)) return false;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
