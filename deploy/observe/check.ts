// Part of "npm run check": every query of the alerts and the dashboards is PromQL, every alert says how severe it is and
// what to do, and nothing has two names. Whether the metrics exist is seen where they are made (apps/e2e).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { allQueries, anchorOf, dashboards, here, rules } from './files.ts';
import { readQuery } from './promql.ts';

const RUNBOOKS = 'docs/operations/runbooks.md';
const severities = ['critical', 'warning', 'none'];

const faults: string[] = allQueries().flatMap(({ where, expr }) =>
  readQuery(expr).faults.map((fault) => `${where}: ${fault}`),
);

const headings = new Set(
  Array.from(readFileSync(join(here, '../..', RUNBOOKS), 'utf8').matchAll(/^### (.+)$/gm), ([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  ),
);
const alerts = rules().filter(({ alert }) => alert !== undefined);
for (const { file, alert = '', labels = {}, annotations = {} } of alerts) {
  if (!headings.delete(anchorOf(alert))) faults.push(`${RUNBOOKS} has no heading of its own for ${alert}`);
  if (!severities.includes(labels['severity'] ?? 'unset'))
    faults.push(`${file}: ${alert} needs a severity: ${severities.join(', ')}`);
  for (const name of ['summary', 'description'])
    if (!annotations[name]) faults.push(`${file}: ${alert} has no ${name}`);
  if (annotations['runbook_url'] !== `${RUNBOOKS}#${anchorOf(alert)}`)
    faults.push(`${file}: the runbook_url of ${alert} is not ${RUNBOOKS}#${anchorOf(alert)}`);
  const tests = parse(readFileSync(join(here, file.replace('alerts/', 'alerts/test/')), 'utf8')) as {
    tests: { name: string }[];
  };
  for (const wanted of [`${alert} fires`, ...(alert === 'Watchdog' ? [] : [`${alert} stays quiet`])])
    if (!tests.tests.some(({ name }) => name === wanted)) faults.push(`${file}: no test "${wanted}"`);
}
for (const name of headings) faults.push(`${RUNBOOKS}: no alert has the page ${name}`);

const uids = dashboards().map(({ uid }) => uid);
if (new Set(uids).size !== uids.length) faults.push('two dashboards have the same uid');

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
