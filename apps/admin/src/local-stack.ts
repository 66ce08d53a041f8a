import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** A stack of `npm start` that runs. */
export interface LocalStack {
  readonly folder: string;
  /** By which this program reaches it. */
  readonly variables: NodeJS.Dict<string>;
}

/** Where the stack of this checkout keeps its things. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** The running stack of this checkout, as it describes itself for this program. Undefined when none runs. */
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
