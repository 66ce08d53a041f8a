import {
  environmentOf,
  imageNames,
  programNames,
  variablesReadBy,
  type DeclaredVariable,
  type ProgramName,
  type Source,
} from '../../deploy/installation/src/index.ts';

/** A variable with everything that the programs which read it say of it. */
interface Documented {
  readonly name: string;
  readonly source: Source;
  readonly readers: ProgramName[];
  readonly descriptions: Set<string>;
  readonly defaults: Set<string>;
  isRequired: boolean;
}

const root = new URL('../..', import.meta.url).pathname;

/** In the order in which programs declare them. */
function documentedVariables(): Documented[] {
  const found = new Map<string, Documented>();
  for (const program of programNames) for (const variable of variablesReadBy(program)) note(found, program, variable);
  return [...found.values()];
}

function note(
  found: Map<string, Documented>,
  reader: ProgramName,
  { name, source, isRequired }: DeclaredVariable,
): void {
  const documented = found.get(name) ?? {
    name,
    source,
    readers: [],
    descriptions: new Set<string>(),
    defaults: new Set<string>(),
    isRequired: false,
  };
  found.set(name, documented);
  const { description, fallback } = environmentOf(reader)[name] ?? {};
  const installed = source.kind === 'setting' ? source.default : undefined;
  const value = installed ?? fallback;
  documented.readers.push(reader);
  if (description !== undefined) documented.descriptions.add(description);
  // Folders of this checkout are told from its root.
  if (value) documented.defaults.add(value.replace(root, ''));
  documented.isRequired ||= isRequired && installed === undefined;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');
const codes = (values: Iterable<string>): string => [...values].map((value) => `\`${value}\``).join(', ');
/** Whoever reads the name of nearly every program has learnt nothing. */
const MANY_READERS = 6;

const readersCell = ({ readers }: Documented): string =>
  readers.length > MANY_READERS ? 'most programs' : codes(readers);
const textCell = ({ descriptions }: Documented): string => cell(capitalized([...descriptions].join('; or: ')));

/** Of a group of variables. */
interface Group {
  readonly heading: string;
  readonly about: string;
  readonly kinds: readonly Source['kind'][];
  /** What stands between the name and what it is. */
  readonly column: { readonly head: string; readonly of: (variable: Documented) => string };
}

const defaultColumn = {
  head: 'Default',
  of: ({ defaults, isRequired }: Documented): string =>
    defaults.size > 0 ? codes(defaults) : isRequired ? '**must be set**' : '',
};

const groups: readonly Group[] = [
  {
    heading: 'Settings of an installation',
    about:
      'Under Compose a line in `.env`. In Kubernetes a key of `global.settings` in the values of the charts, or of\n' +
      '`settings` of one of them. Where the default is empty the feature is off, unless it says that it must be set.',
    kinds: ['setting'],
    column: defaultColumn,
  },
  {
    heading: 'Limits and times',
    about:
      'Their defaults are right for most, and no manifest names them. In Kubernetes they are keys like those above.\n' +
      'Under Compose they go into the `environment` of the service, in a `docker-compose.override.yml`.',
    kinds: ['own-default'],
    column: defaultColumn,
  },
  {
    heading: 'Secrets',
    about:
      'Each may also come from a file: then `NAME_FILE` names it. [How they are made and changed](rotate-keys.md).',
    kinds: ['secret'],
    column: {
      head: 'Kind',
      of: ({ source }) => (source.kind === 'secret' ? `\`${source.secret}\`` : ''),
    },
  },
  {
    heading: 'What the manifests set',
    about: 'Addresses, ports and files that fit together. Who writes manifests of their own needs them.',
    kinds: ['listening', 'address', 'api-url', 'own-hosts', 'tls-file', 'authority-file', 'public-keys', 'namespace'],
    column: defaultColumn,
  },
  {
    heading: 'The identity provider of development',
    about: 'Never in production.',
    kinds: ['development'],
    column: defaultColumn,
  },
];

function section(variables: readonly Documented[], { heading, about, kinds, column }: Group): string {
  const rows = variables
    .filter(({ source }) => kinds.includes(source.kind))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((each) => `| \`${each.name}\` | ${column.of(each)} | ${readersCell(each)} | ${textCell(each)} |`);
  const head = `| Variable | ${column.head} | Read by | What |\n|---|---|---|---|`;
  return `## ${heading}\n\n${about}\n\n${head}\n${rows.join('\n')}\n`;
}

/** Each program has one. */
const IMAGE_VERSIONS = '<PROGRAM>_VERSION';
const imageVersions = new Set(imageNames.map((name) => `${name.toUpperCase().replaceAll('-', '_')}_VERSION`));

/** Settings that containers of others are given under Compose, by what its files insert. */
const composeAlone: Readonly<Record<string, string>> = {
  GATEWAY_PORT: 'Where the gateway is published. `127.0.0.1:8080` publishes to this machine alone',
  PORTAL_PORT: 'Where the portal is published',
  IDP_PORT: 'Where the identity provider of development is published',
  HTTPS_PORT: 'Where the proxy of the profile `production` is published',
  HTTP_PORT: 'Where that proxy sends browsers on to HTTPS',
  API_HOST: 'The name by which programs reach the API through that proxy',
  EDGE_SUBNET:
    'The addresses of the network that proxy, portal and gateway are on: what `TRUSTED_PROXIES` and ' +
    '`PORTAL_TRUSTED_PROXIES` name. Change it where the machine has a way to these addresses already',
  PROXY_CERTIFICATES: 'The folder of its certificates: `api.crt`, `api.key`, `portal.crt`, `portal.key`',
  ALL_IN_ONE_SERVICES:
    'What the process of `docker-compose.all-in-one.yml` hosts. `deploy/compose/restore.sh` closes it by this',
  IMAGE_REGISTRY: 'Where the images are. `deploy/compose/use-release.sh` sets this and the next ones',
  IMAGE_PULL_POLICY: 'Whether Compose asks that registry: `never`, `missing` or `always`',
  [IMAGE_VERSIONS]: 'The tag of one image, such as `TASKS_VERSION=1.4.0`, with or without `@sha256:…`',
  POSTGRES_IMAGE:
    'The image of PostgreSQL. In production name digests, as in `postgres:18@sha256:…`: a tag can be moved',
  POSTGRES_MAX_CONNECTIONS: 'Connections that PostgreSQL takes: replicas × `DATABASE_POOL_MAX`, and one for each relay',
  RABBITMQ_IMAGE: 'The image of RabbitMQ',
  PROXY_IMAGE: 'The image of the proxy',
  AUDITOR_VOLUME:
    'Where the auditor keeps the heads of the audit trails: a volume, or a folder of the user 1000 that lies on ' +
    'another machine',
  AUDITOR_ANCHORS: 'The file in it. `deploy/compose/restore.sh data` with a moment starts a new one',
  BACKUP_VOLUME:
    'Where the profile `backup` writes: a volume, or a folder of the user 999 that lies on another machine',
  BACKUP_FOLDER: 'The folder in it. `deploy/compose/restore.sh open` starts a new one',
  BACKUP_EVERY_SECONDS: 'How often it copies the server whole',
  BACKUP_KEEP: 'How many of these copies it keeps',
  BACKUP_SLOT_KEEPS: 'How much of its log PostgreSQL keeps for a backup job that is away',
  OTEL_COLLECTOR_IMAGE: 'The image of the OpenTelemetry collector',
  PROMETHEUS_IMAGE: 'The image of Prometheus',
  PROMETHEUS_PORT: 'Where the profile `observe` publishes Prometheus',
  PROMETHEUS_RETENTION: 'For how long it keeps metrics',
  ALERTMANAGER_IMAGE: 'The image of Alertmanager',
  ALERTMANAGER_PORT: 'Where it is published',
  ALERTMANAGER_CONFIG: 'Its file: whom it tells',
  JAEGER_IMAGE: 'The image of Jaeger',
  JAEGER_PORT: 'Where it is published',
  GRAFANA_IMAGE: 'The image of Grafana',
  GRAFANA_PORT: 'Where it is published',
  POSTGRES_EXPORTER_IMAGE: "The image of PostgreSQL's exporter of metrics",
};

/**
 * @param compose the texts of Compose's files
 * @throws Error for a setting of Compose that this page does not describe
 */
function composeSection(compose: string, known: ReadonlySet<string>): string {
  const defaults = new Map<string, string>();
  for (const [, name = '', value = ''] of compose.matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g))
    if (!known.has(name)) defaults.set(imageVersions.has(name) ? IMAGE_VERSIONS : name, value);
  const rows = [...defaults].toSorted().map(([name, value]) => {
    const about = composeAlone[name];
    if (about === undefined) throw new Error(`tools/contracts/settings-page.ts does not say what ${name} is`);
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`;
  });
  return `## Of Compose alone\n\n| Variable | Default | What |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** docs/operations/settings.md: every variable that a program reads, and nothing else. */
export function settingsPage(compose: string): string {
  const variables = documentedVariables();
  // Where a program listens in its container is one thing, where Compose publishes it another.
  const known = new Set(variables.flatMap(({ name, source }) => (source.kind === 'listening' ? [] : [name])));
  return `<!-- Made by "npm run generate:settings" of what programs declare in src/environment.ts. Change that. -->

# All settings

Programs read environment variables and nothing else. A wrong or missing one ends the program at its start, with every
fault named. A variable that a program does not read is ignored.

${groups.map((group) => section(variables, group)).join('\n')}
${composeSection(compose, known)}`;
}
