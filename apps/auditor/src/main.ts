import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { runCommandLine } from './command-line.ts';

/** Data folder of the local stack. */
const localFolder = fileURLToPath(new URL('../../../.local', import.meta.url));

/** Reads the variables of the running stack of this checkout. Undefined if none runs. */
function findLocalStack(): NodeJS.Dict<string> | undefined {
  const [file, pidFile] = [join(localFolder, 'audit.env'), join(localFolder, 'stack.pid')];
  if (!existsSync(file) || !existsSync(pidFile)) return undefined;
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  findLocalStack,
});
