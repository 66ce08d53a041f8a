import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

const folder = join(projectRoot, 'apps/docs');
/** Sources of the documentation. */
const SOURCES = [
  'docs/**/*',
  '*.md',
  '{apps,libs,clients,lab,deploy}/{*/,}README.md',
  'clients/sdk/examples/*',
  'apps/docs/{build.ts,{public,src}/**}',
  'apps/gateway/openapi/openapi.yaml',
  'package-lock.json',
];
const BUILD_LIMIT_MS = 600_000;

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function isBuilt(): boolean {
  const sources = globSync(SOURCES, { cwd: projectRoot }).map((name) => timeOf(join(projectRoot, name)));
  return timeOf(join(folder, 'dist/index.html')) > Math.max(...sources);
}

/**
 * Builds the documentation with low priority if its sources changed. Until it is ready, the gateway shows only the
 * contract.
 */
export async function buildDocsInBackground(print: (line: string) => void, signal: AbortSignal): Promise<void> {
  if (isBuilt()) return;
  print('documentation: building in the background; until it is ready, /docs shows only the contract');
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['build.ts'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_LIMIT_MS,
    signal,
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let output = '';
  child.stderr.on('data', (piece) => (output = `${output}${String(piece)}`.slice(-2_000)));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    print(code === 0 ? `documentation: built in ${seconds} s` : `documentation: the build failed:\n${output}`);
  } catch (error) {
    if (!signal.aborted) print(`documentation: the build failed: ${(error as Error).message}`);
  }
}
