// Reads the rules of Prometheus and the dashboards of Grafana.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export const observeFolder = import.meta.dirname;

export interface Rule {
  readonly file: string;
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(join(observeFolder, folder))
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

export const rules = (): Rule[] =>
  filesIn('alerts', '.yaml').flatMap((file) =>
    (
      parse(readFileSync(join(observeFolder, file), 'utf8')) as { groups: { rules: Omit<Rule, 'file'>[] }[] }
    ).groups.flatMap((group) => group.rules.map((rule) => ({ ...rule, file }))),
  );

export interface Panel {
  readonly title?: string;
  readonly type: string;
  readonly panels?: Panel[];
  readonly targets?: { readonly expr?: string; readonly legendFormat?: string; readonly instant?: boolean }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly panels: Panel[];
  readonly templating: { readonly list: { readonly name: string; readonly query?: string | { query?: string } }[] };
}

export const dashboards = (): Dashboard[] =>
  filesIn('dashboards', '.json').map((file) => ({
    ...(JSON.parse(readFileSync(join(observeFolder, file), 'utf8')) as Omit<Dashboard, 'file'>),
    file,
  }));

export interface NamedQuery {
  /** Location, for error messages. */
  readonly where: string;
  readonly expr: string;
}

export const listQueries = (dashboard: Dashboard): NamedQuery[] =>
  dashboard.panels.flatMap((panel) =>
    (panel.targets ?? []).flatMap(({ expr }) =>
      expr === undefined ? [] : [{ where: `${dashboard.file}: ${panel.title}`, expr }],
    ),
  );

/** Every query of every rule and panel. */
export const listAllQueries = (): NamedQuery[] => [
  ...rules().map(({ file, alert, record, expr }) => ({ where: `${file}: ${alert ?? record}`, expr })),
  ...dashboards().flatMap(listQueries),
];

/** Anchor of an alert's runbook. */
export const anchorOf = (alert: string): string => alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
