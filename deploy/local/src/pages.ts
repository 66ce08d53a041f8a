import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BackendError } from '@saleschannel/local-backends';
import { projectRoot } from './files.ts';

/** Sources of the applications' pages. */
const PAGES = ['apps/web/{*.ts,*.json,src/**}', 'apps/{gateway,console}/openapi/openapi.yaml', 'package-lock.json'];
const PAGES_LIMIT_MS = 180_000;
/** Sources of the documentation. */
const DOCS = [
  'docs/**/*',
  '*.md',
  '{apps,libs,clients,lab,deploy}/{*/,}README.md',
  'clients/sdk/examples/*',
  'apps/docs/{build.ts,{public,src}/**}',
  'apps/gateway/openapi/openapi.yaml',
  'package-lock.json',
];
const DOCS_LIMIT_MS = 600_000;

// Otherwise tests would build React's development version.
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, NODE_ENV: 'production' });

const timeOf = (path: string): number => statSync(join(projectRoot, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** True if the built files are newer than their sources. */
const areBuilt = (built: readonly string[], sources: string[]): boolean =>
  Math.min(...built.map(timeOf)) > Math.max(...globSync(sources, { cwd: projectRoot }).map(timeOf));

const secondsSince = (startedAt: number, digits: number): string =>
  ((performance.now() - startedAt) / 1000).toFixed(digits);

/**
 * Builds the pages if their sources changed.
 * @throws BackendError with the output of a failed build
 */
export async function buildPages(print: (line: string) => void): Promise<void> {
  const folder = join(projectRoot, 'apps/web');
  // Each application is a folder of `src` and is built to its own folder.
  const pages = globSync('src/*/index.html', { cwd: folder }).map((page) => `apps/web/${page.replace(/^src/, 'dist')}`);
  if (areBuilt(pages, PAGES)) return;
  const startedAt = performance.now();
  print('pages: building, because the sources changed');
  try {
    const options = { cwd: folder, timeout: PAGES_LIMIT_MS, env: environment() };
    await promisify(execFile)(process.execPath, ['build.ts'], options);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new BackendError(`The build of the pages failed:\n${stderr ?? (error as Error).message}`);
  }
  print(`pages: built in ${secondsSince(startedAt, 1)} s`);
}

/**
 * Builds the documentation with low priority if its sources changed. Until it is ready, the gateway shows only the
 * contract.
 */
export async function buildDocsInBackground(print: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (areBuilt(['apps/docs/dist/index.html'], DOCS)) return;
  print('documentation: building in the background; until it is ready, /docs shows only the contract');
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['build.ts'], {
    cwd: join(projectRoot, 'apps/docs'),
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: DOCS_LIMIT_MS,
    signal,
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  child.stderr.on('data', (piece) => (output = `${output}${String(piece)}`.slice(-2_000)));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const outcome = code === 0 ? `built in ${secondsSince(startedAt, 0)} s` : `the build failed:\n${output}`;
    print(`documentation: ${outcome}`);
  } catch (error) {
    if (!signal.aborted) print(`documentation: the build failed: ${(error as Error).message}`);
  }
}
