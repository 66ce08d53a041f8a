import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../../../..');

/** An arbitrary issuer. */
export const ISSUER = 'https://id.example.org/';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end, with no variable of the tests except the compile cache. */
export function run(program: string, args: readonly string[], cwd = projectRoot): Finished {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE };
  return spawnSync(program, args, { cwd, encoding: 'utf8', env });
}

/** Runs a script of the repository. */
export const runScript = (path: string, ...args: string[]): Finished => run(process.execPath, [path, ...args]);

export const isInstalled = (program: string): boolean => run('sh', ['-c', `command -v ${program}`]).status === 0;
