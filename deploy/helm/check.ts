// Part of "npm run check": renders the umbrella, the installation and each service with the example values, looks at
// them with "helm lint --strict", and compares every object, and every example, with the vendored schemas. Prints what
// is wrong and ends with exit code 1.
import { globSync, readFileSync } from 'node:fs';
import { copyCharts } from './charts.ts';
import { findHelm } from './helm-program.ts';
import { faultsIn } from './validate.ts';

const faults: string[] = [];
const report = (where: string, found: readonly string[]): void =>
  void faults.push(...found.map((fault) => `${where}: ${fault}`));

for (const file of globSync('examples/**/*.yaml', { cwd: import.meta.dirname }).toSorted()) {
  if (/values-[^/]+$|\.sops\.yaml$/.test(file)) continue;
  report(`deploy/helm/${file}`, faultsIn(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')));
}

const helm = findHelm();
if (!helm) process.stdout.write('charts are not rendered: there is no Helm 4 on this machine\n');
else {
  const charts = copyCharts(helm);
  try {
    for (const values of ['values-dev', 'values-production', 'values-all-in-one'])
      for (const chart of charts.names) {
        const where = `${chart} with ${values}.yaml`;
        try {
          report(where, faultsIn(charts.render(chart, [`examples/${values}.yaml`])));
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
