// Renders charts in a copy of this folder, where helm can write.
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runHelm } from './helm-program.ts';

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
