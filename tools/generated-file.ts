import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

/**
 * Writes a file that a command makes of others. With `--check` it writes nothing, and a difference ends with exit
 * code 1.
 * @param path from the root of the repository
 */
export function writeGenerated(path: string, text: string, command: string): void {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (process.argv.includes('--check')) {
    console.error(`${relative(root, file)} is not what its sources make it: npm run ${command}`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
