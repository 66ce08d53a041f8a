// Part of "npm run lint". Every query of alerts and dashboards is valid PromQL for known metrics, and every alert has a
// severity, a runbook and a test. lab/e2e (metrics.test.ts) compares the table of README.md with the metrics that
// services serve, so that renaming a metric cannot silence an alert.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readMetrics, readQuery } from './catalogue.ts';
import { listAllQueries, anchorOf, dashboards, observeFolder, rules } from './files.ts';

const RUNBOOKS = 'docs/operate/runbooks.md';
const severities = ['critical', 'warning', 'none'];

const served = readMetrics();
const recorded = new Set(rules().flatMap(({ record }) => record ?? []));
/** Labels that every sample has or gets from its reader. */
const common = ['service_name', 'instance', 'job', 'le'];

const faults: string[] = listAllQueries().flatMap(({ where, expr }) => {
  const { faults: written, series } = readQuery(expr);
  const unknown = series.flatMap(({ name, labels }) => {
    if (recorded.has(name) || name === 'ALERTS') return [];
    const known = served.get(name);
    if (!known) return [`nothing serves ${name}`];
    return labels
      .filter((label) => known !== 'third-party' && !common.includes(label) && !known.includes(label))
      .map((label) => `${name} has no label ${label}`);
  });
  return [...written, ...unknown].map((fault) => `${where}: ${fault}`);
});

const headings = new Set(
  Array.from(
    readFileSync(join(observeFolder, '../..', RUNBOOKS), 'utf8').matchAll(/^### (.+)$/gm),
    ([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'),
  ),
);
const alerts = rules().filter(({ alert }) => alert !== undefined);
for (const { file, alert = '', labels = {}, annotations = {} } of alerts) {
  if (!headings.delete(anchorOf(alert))) faults.push(`${RUNBOOKS} has no heading for ${alert}, or two alerts share it`);
  if (!severities.includes(labels['severity'] ?? 'unset'))
    faults.push(`${file}: ${alert} needs a severity: ${severities.join(', ')}`);
  for (const name of ['summary', 'description'])
    if (!annotations[name]) faults.push(`${file}: ${alert} has no ${name}`);
  if (annotations['runbook_url'] !== `${RUNBOOKS}#${anchorOf(alert)}`)
    faults.push(`${file}: the runbook_url of ${alert} is not ${RUNBOOKS}#${anchorOf(alert)}`);
  const tests = parse(readFileSync(join(observeFolder, file.replace('alerts/', 'alerts/test/')), 'utf8')) as {
    tests: { name: string }[];
  };
  for (const title of [`${alert} fires`, ...(alert === 'Watchdog' ? [] : [`${alert} stays quiet`])])
    if (!tests.tests.some(({ name }) => name === title)) faults.push(`${file}: no test "${title}"`);
}
for (const name of headings) faults.push(`${RUNBOOKS}: no alert has the heading ${name}`);

const uids = dashboards().map(({ uid }) => uid);
if (new Set(uids).size !== uids.length) faults.push('two dashboards have the same uid');

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
