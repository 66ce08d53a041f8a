// node deploy/observe/ask-all.ts http://127.0.0.1:9090
//
// Runs every query of the dashboards and lists those without a result. Some are empty in a healthy system, so only
// queries that Prometheus refuses set the exit code to 1.
import { request } from 'undici';
import { dashboards, listQueries } from './files.ts';

const TIMEOUT_MS = 30_000;
const [prometheus = 'http://127.0.0.1:9090'] = process.argv.slice(2);

/** Replaces variables as Grafana does for "All". */
const interpolate = (expr: string): string =>
  expr.replaceAll(/\$__(rate_interval|interval|range)\b/g, '2m').replaceAll(/\$(service|channel)\b/g, '.*');

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: unknown[] };
}

async function ask(expr: string): Promise<Answer> {
  const { body } = await request(`${prometheus}/api/v1/query?${new URLSearchParams({ query: interpolate(expr) })}`, {
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return (await body.json()) as Answer;
}

let refused = 0;
for (const dashboard of dashboards()) {
  const queries = listQueries(dashboard);
  const empty: string[] = [];
  for (const { where, expr } of queries) {
    const { error, data } = await ask(expr);
    if (error !== undefined) {
      refused++;
      process.stdout.write(`REFUSED ${where}: ${error}\n`);
    } else if (data?.result.length === 0) empty.push(`  empty: ${where.replace(/^[^:]+: /, '')}: ${expr}`);
  }
  process.stdout.write(`${dashboard.title}: ${queries.length} queries, ${queries.length - empty.length} answered\n`);
  for (const line of empty) process.stdout.write(`${line}\n`);
}
process.exitCode = refused > 0 ? 1 : 0;
