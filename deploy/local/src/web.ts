import { execFile } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackendError } from '@saleschannel/local-backends';
import { projectRoot } from './paths.ts';

const folder = join(projectRoot, 'apps/web');
/** Sources of pages. */
const SOURCES = ['apps/web/{*.ts,*.json,src/**}', 'apps/{gateway,console}/openapi/openapi.yaml', 'package-lock.json'];
/** Pages of applications, which are folders of `src`. Each is built to its own folder. */
const PAGES = 'src/*/index.html';
const BUILD_LIMIT_MS = 180_000;

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** True if the pages are newer than their sources. */
function isBuilt(): boolean {
  const pages = globSync(PAGES, { cwd: folder }).map((page) => timeOf(join(folder, page.replace(/^src/, 'dist'))));
  const sources = globSync(SOURCES, { cwd: projectRoot }).map((name) => timeOf(join(projectRoot, name)));
  return Math.min(...pages) > Math.max(...sources);
}

/**
 * Builds the pages if their sources changed.
 * @throws BackendError with the output of a failed build
 */
export async function buildPages(print: (line: string) => void): Promise<void> {
  if (isBuilt()) return;
  const startedAt = performance.now();
  print('pages: building, because the sources changed');
  // Otherwise tests would build React's development version.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: folder, timeout: BUILD_LIMIT_MS, env };
  try {
    await promisify(execFile)(process.execPath, ['build.ts'], options);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new BackendError(`The build of the pages failed:\n${stderr ?? (error as Error).message}`);
  }
  print(`pages: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
