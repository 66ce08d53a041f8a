// Panels and dashboards with common units, colours and legends.
import {
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  SortOrder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
} from '@grafana/grafana-foundation-sdk/common';
import * as common from '@grafana/grafana-foundation-sdk/common';
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  ThresholdsConfigBuilder,
  ThresholdsMode,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import { anchorOf } from '../files.ts';

/** A query with the legend of its lines. */
type Line = readonly [expr: string, legend: string];

/** Units by Grafana's names. */
type Unit = 's' | 'reqps' | 'ops' | 'cps' | 'percentunit' | 'bytes' | 'short' | 'none' | 'Bps' | 'dateTimeFromNow';

export interface PanelSpec {
  readonly title: string;
  readonly unit: Unit;
  readonly lines: readonly Line[];
  /** Description. */
  readonly about?: string;
  /** Thresholds of yellow and red. */
  readonly limits?: readonly [number, number];
  /** Alert on the same metrics. */
  readonly alert?: string;
  /** Width of 24 columns. */
  readonly width?: number;
  readonly kind?: 'graph' | 'stat' | 'table';
  readonly stacked?: boolean;
  readonly max?: number;
}

export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

export interface DashboardSpec {
  /** File name without extension. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly rows: readonly RowSpec[];
  /** Selector above the panels: a label, and a metric that has it. */
  readonly variable?: { readonly name: string; readonly label: string; readonly query: string; readonly all: boolean };
}

const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
const COLUMNS = 24;
const HEIGHTS = { graph: 8, stat: 4, table: 8 };

const thresholds = (limits: PanelSpec['limits']): ThresholdsConfigBuilder =>
  new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([
      { value: null, color: 'green' },
      ...(limits ? [{ value: limits[0], color: 'yellow' }] : []),
      ...(limits ? [{ value: limits[1], color: 'red' }] : []),
    ]);

const describe = ({ about, alert }: PanelSpec): string =>
  [
    ...(about === undefined ? [] : [about]),
    ...(alert === undefined ? [] : [`Alert ${alert}: docs/operate/runbooks.md#${anchorOf(alert)}`]),
  ].join('\n\n');

const queries = ({ lines, kind }: PanelSpec): DataqueryBuilder[] =>
  lines.map(([expr, legend], index) => {
    const query = new DataqueryBuilder()
      .expr(expr)
      .legendFormat(legend)
      .refId(String.fromCodePoint('A'.codePointAt(0)! + index))
      .datasource(DATASOURCE);
    if (kind === 'table') return query.instant().format(PromQueryFormat.Table);
    return kind === 'stat' ? query.instant() : query.range();
  });

const graph = (spec: PanelSpec): TimeseriesBuilder => {
  const panel = new TimeseriesBuilder()
    .min(0)
    .lineWidth(1)
    .fillOpacity(spec.stacked ? 40 : 8)
    .showPoints(VisibilityMode.Never)
    .spanNulls(false)
    .tooltip(new common.VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    );
  if (spec.stacked) panel.stacking(new common.StackingConfigBuilder().mode(StackingMode.Normal));
  if (spec.max !== undefined) panel.max(spec.max);
  if (spec.limits)
    panel.thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  return panel;
};

function panelOf(spec: PanelSpec): TimeseriesBuilder | StatBuilder | TableBuilder {
  const kind = spec.kind ?? 'graph';
  const panel =
    kind === 'graph'
      ? graph(spec)
      : kind === 'stat'
        ? new StatBuilder().reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']))
        : new TableBuilder().withTransformation({
            id: 'organize',
            options: { excludeByName: { Time: true, __name__: true } },
          });
  return panel
    .title(spec.title)
    .description(describe(spec))
    .unit(spec.unit)
    .thresholds(thresholds(spec.limits))
    .datasource(DATASOURCE)
    .targets(queries(spec))
    .span(spec.width ?? COLUMNS / 2)
    .height(HEIGHTS[kind]);
}

/** Link to traces, for a Grafana that is provisioned by the files beside this folder. */
const tracesOf = (service: string): string =>
  `/explore?schemaVersion=1&panes=${encodeURIComponent(
    JSON.stringify({
      traces: {
        datasource: 'jaeger',
        queries: [{ refId: 'A', datasource: { type: 'jaeger', uid: 'jaeger' }, queryType: 'search', service }],
        range: { from: 'now-1h', to: 'now' },
      },
    }),
  )
    .replaceAll('%24%7B', '${')
    .replaceAll('%7D%22', '}%22')}`;

const TAG = 'saleschannel';

/** Dashboard as JSON for import, without ids, which Grafana assigns. */
export function toDashboard({ name, title, about, rows, variable }: DashboardSpec): string {
  const dashboard = new DashboardBuilder(title)
    .uid(`${TAG}-${name}`)
    .description(about)
    .tags([TAG])
    .readonly()
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-1h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .link(
      new DashboardLinkBuilder('Dashboards')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(true)
        .keepTime(true),
    )
    .link(
      new DashboardLinkBuilder('Traces')
        .type(DashboardLinkType.Link)
        .url(tracesOf(variable?.name === 'service' ? '${service}' : 'gateway'))
        .targetBlank(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Metrics').type('prometheus'));
  if (variable)
    dashboard.withVariable(
      new QueryVariableBuilder(variable.name)
        .label(variable.label)
        .datasource(DATASOURCE)
        .query(variable.query)
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .sort(VariableSort.AlphabeticalAsc)
        .multi(variable.all)
        .includeAll(variable.all)
        .allValue('.*'),
    );
  for (const row of rows) {
    dashboard.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) dashboard.withPanel(panelOf(panel));
  }
  return JSON.stringify(withoutIds(dashboard.build()));
}

const withoutIds = (dashboard: object): unknown =>
  JSON.parse(JSON.stringify(dashboard), function (this: unknown, key: string, value: unknown) {
    return key === 'id' && typeof value === 'number' ? undefined : value;
  });

/** Quantile of a histogram, grouped by labels. */
export const quantile = (of: number, metric: string, by = '', selector = ''): string => {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return `histogram_quantile(${of}, sum by (${labels}) (rate(${metric}_bucket${selector}[$__rate_interval])))`;
};

/** Quantiles of a histogram, one line each. */
export const quantiles = (metric: string, by = '', selector = '', of = [0.5, 0.95, 0.99]): Line[] =>
  of.map((each) => [quantile(each, metric, by, selector), `${by && `{{${by}}} `}${each * 100} %`]);

export const ratio = (part: string, whole: string): string => `${part} / ${whole}`;

/** Rate of a counter or histogram. */
export const perSecond = (counter: string, by: string, legend = `{{${by}}}`): Line => [
  `sum by (${by}) (rate(${counter}[$__rate_interval]))`,
  legend,
];
