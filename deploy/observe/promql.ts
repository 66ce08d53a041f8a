// Parses PromQL with the grammar of Prometheus's own page.
import { parser } from '@prometheus-io/lezer-promql';

export interface Query {
  /** Syntax errors. */
  readonly faults: string[];
  /** Series that the query reads, with their labels. */
  readonly series: { readonly name: string; readonly labels: string[] }[];
}

/** Variables that Grafana replaces. */
const grafanaVariables: readonly [RegExp, string][] = [
  [/\$__(rate_interval|interval|range)\b/g, '5m'],
  [/\$\{?\w+\}?/g, 'x'],
];

export function readQuery(written: string): Query {
  const text = grafanaVariables.reduce((before, [pattern, value]) => before.replaceAll(pattern, value), written);
  const faults: string[] = [];
  const series: Query['series'] = [];
  parser.parse(text).iterate({
    enter(node) {
      const source = text.slice(node.from, node.to);
      if (node.type.isError) faults.push(`not PromQL near "${text.slice(Math.max(0, node.from - 20), node.to + 10)}"`);
      if (node.name === 'VectorSelector')
        series.push({ name: /^[\w:]+/.exec(source)?.[0] ?? source, labels: labelsOf(source) });
    },
  });
  return { faults, series };
}

const labelsOf = (selector: string): string[] =>
  Array.from(selector.matchAll(/\b([a-zA-Z_]\w{0,99})\s{0,9}(?:=~|!~|!=|=)\s{0,9}"/g), ([, name = '']) => name);
