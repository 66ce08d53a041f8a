// Part of "npm run lint": renders the umbrella, the installation and each service with the example values, runs
// "helm lint --strict", and validates every object and every example with the vendored schemas.
import { globSync, readFileSync } from 'node:fs';
import { copyCharts, findHelm } from './charts.ts';
import { findFaults } from './validate.ts';

const faults: string[] = [];
const report = (where: string, found: readonly string[]): void =>
  void faults.push(...found.map((fault) => `${where}: ${fault}`));

for (const file of globSync('examples/**/*.yaml', { cwd: import.meta.dirname }).toSorted()) {
  if (/values-[^/]+$|\.sops\.yaml$/.test(file)) continue;
  report(`deploy/helm/${file}`, findFaults(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')));
}

const helm = findHelm();
if (!helm) process.stdout.write('charts are not rendered: this machine has no Helm 4\n');
else {
  const charts = copyCharts(helm);
  try {
    for (const values of ['values-dev', 'values-production', 'values-all-in-one'])
      for (const chart of charts.names) {
        const where = `${chart} with ${values}.yaml`;
        try {
          report(where, findFaults(charts.render(chart, [`examples/${values}.yaml`])));
        } catch (error) {
          report(where, [(error as Error).message]);
        }
      }
    charts.lint('saleschannel', ['examples/values-production.yaml']);
    for (const chart of charts.names.slice(1)) charts.lint(chart, ['examples/values-production.yaml']);
  } finally {
    charts.remove();
  }
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
