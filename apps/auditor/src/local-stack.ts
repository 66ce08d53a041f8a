import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** Data folder of the local stack. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** Reads the variables of the running stack of this checkout. Undefined if none runs. */
export function findLocalStack(folder: string = localFolder): NodeJS.Dict<string> | undefined {
  const [file, pidFile] = [join(folder, 'audit.env'), join(folder, 'stack.pid')];
  if (!existsSync(file) || !existsSync(pidFile)) return undefined;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
