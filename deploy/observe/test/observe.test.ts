import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isInstalled, projectRoot, run } from '../../installation/test/support/programs.ts';
import { readMetrics, readQuery } from '../catalogue.ts';
import { dashboards, listQueries, rules } from '../files.ts';

test('parses series and labels of a query, and finds syntax errors', () => {
  const expr =
    'sum by (queue) (rate(a_total{x="1",y!~"2.*"}[$__rate_interval])) / on () group_left () b' +
    ' > 0 or absent(c{z=~"$v"})';
  expect(readQuery(expr)).toEqual({
    faults: [],
    series: [
      { name: 'a_total', labels: ['x', 'y'] },
      { name: 'b', labels: [] },
      { name: 'c', labels: ['z'] },
    ],
  });
  for (const wrong of ['sum by (queue (a)', 'rate(a[5m]', 'a{x=1}', 'a >', 'a[five]'])
    expect([wrong, readQuery(wrong).faults.length > 0]).toEqual([wrong, true]);
});

test('reads metrics and labels from the table', () => {
  const served = readMetrics();
  expect(served.get('http_server_request_duration_seconds_bucket')).toEqual([
    'http_request_method',
    'http_route',
    'http_response_status_code',
    'saleschannel_operation',
    'error_type',
  ]);
  expect(served.get('saleschannel_webhook_attempts_total')).toEqual(['outcome']);
  expect(served.get('db_client_connection_wait_time_seconds_count')).toEqual(['db_client_connection_pool_name']);
  expect(served.get('saleschannel_tasks_waiting')).toEqual([]);
  expect(served.get('pg_up')).toBe('third-party');
  expect(served.has('saleschannel_task_waiting')).toBe(false);
});

test('dashboards have no ids, a selectable data source, and no overlapping panels', () => {
  expect(dashboards().map(({ title }) => title)).toHaveLength(7);
  for (const dashboard of dashboards()) {
    expect(JSON.stringify(dashboard)).not.toMatch(/"id":\d/);
    expect(dashboard.templating.list[0]).toMatchObject({ type: 'datasource', query: 'prometheus' });
    const panels = dashboard.panels.filter(({ type }) => type !== 'row');
    expect(listQueries(dashboard).length).toBeGreaterThanOrEqual(panels.length);
    for (const panel of panels)
      expect(panel).toMatchObject({
        datasource: { uid: '${datasource}' },
        fieldConfig: { defaults: { unit: expect.any(String) as unknown } },
        gridPos: { w: expect.any(Number) as unknown },
      });
    // Panels must not overlap.
    const cells = panels.flatMap((panel) => {
      const { x, y, w, h } = (panel as unknown as { gridPos: Record<'x' | 'y' | 'w' | 'h', number> }).gridPos;
      expect(x + w).toBeLessThanOrEqual(24);
      return Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`);
    });
    expect(new Set(cells).size).toBe(cells.length);
  }
});

test('alerts on a counter that starts with its first event also test its existence', () => {
  // increase() misses the step from no series to 1.
  const rare = rules().filter(({ expr }) => /increase\(saleschannel_\w+_total\b.*\[1h\]\)/.test(expr));
  expect(rare.map(({ alert }) => alert)).toEqual(
    expect.arrayContaining(['ChangesGotLost', 'LedgerConflicts', 'ArchiveStandsStill']),
  );
  for (const { alert, expr } of rare) expect([alert, expr]).toEqual([alert, expect.stringContaining('unless')]);
});

const TEST_LIMIT_MS = 300_000;
const files = (folder: string): string[] =>
  readdirSync(join(projectRoot, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`);

if (isInstalled('promtool')) {
  test('promtool accepts the rules and the scrape configuration', () => {
    const { status, stdout, stderr } = run('promtool', ['check', 'rules', ...files('deploy/observe/alerts')]);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    const config = run('promtool', ['check', 'config', '--syntax-only', 'deploy/observe/prometheus.yaml']);
    expect(config).toMatchObject({ status: 0 });
  });

  test(
    'each alert fires when it should, and not when it should not',
    () => {
      const { status, stdout, stderr } = run('promtool', ['test', 'rules', ...files('deploy/observe/alerts/test')]);
      expect({ status, stdout, stderr }).toMatchObject({ status: 0 });
    },
    TEST_LIMIT_MS,
  );
} else
  test('promtool is not installed here: only syntax and metrics of alerts are checked', () =>
    expect(isInstalled('promtool')).toBe(false));
