import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** Where the stack of this checkout keeps its things. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** The variables by which this program reaches the running stack of this checkout. Undefined when none runs. */
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
