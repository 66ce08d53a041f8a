import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  environmentOf,
  imageNames,
  programNames,
  listVariables,
  type DeclaredVariable,
  type ProgramName,
  type Source,
} from '../../deploy/installation/src/index.ts';
import { root, type Files } from '../generate/files.ts';

/** A variable with the declarations of all programs that read it. */
interface Documented {
  readonly name: string;
  readonly source: Source;
  readonly readers: ProgramName[];
  readonly descriptions: Set<string>;
  readonly defaults: Set<string>;
  isRequired: boolean;
}

/** Variables in the order of their declarations. */
function documentedVariables(): Documented[] {
  const found = new Map<string, Documented>();
  for (const program of programNames) for (const variable of listVariables(program)) note(found, program, variable);
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
  // Paths in this checkout start at its root.
  if (value) documented.defaults.add(value.replace(`${root}/`, ''));
  documented.isRequired ||= isRequired && installed === undefined;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');
const codes = (values: Iterable<string>): string => [...values].map((value) => `\`${value}\``).join(', ');
/** With more readers, the page says "most programs". */
const MANY_READERS = 6;

const readersCell = ({ readers }: Documented): string =>
  readers.length > MANY_READERS ? 'most programs' : codes(readers);
const textCell = ({ descriptions }: Documented): string => cell(capitalized([...descriptions].join('; or: ')));

/** A section of the page. */
interface Group {
  readonly heading: string;
  readonly about: string;
  readonly kinds: readonly Source['kind'][];
  /** The column between name and description. */
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
      'In Compose, add a line to `.env`. In Kubernetes, add a key to `global.settings` in the values of the charts,\n' +
      'or to `settings` of one of them. An empty default turns the feature off, unless it must be set.',
    kinds: ['setting'],
    column: defaultColumn,
  },
  {
    heading: 'Limits and times',
    about:
      'The defaults suit most installations, and no manifest sets them. In Kubernetes, add keys as above. In\n' +
      'Compose, add them to the `environment` of the service in a `docker-compose.override.yml`.',
    kinds: ['own-default'],
    column: defaultColumn,
  },
  {
    heading: 'Secrets',
    about:
      'To read a secret from a file, set `NAME_FILE` to its path. [How to create and rotate them](rotate-keys.md).',
    kinds: ['secret'],
    column: {
      head: 'Kind',
      of: ({ source }) => (source.kind === 'secret' ? `\`${source.secret}\`` : ''),
    },
  },
  {
    heading: 'Set by the manifests',
    about: 'Addresses, ports and files that must match each other. Set them only if you write your own manifests.',
    kinds: ['listening', 'address', 'api-url', 'own-hosts', 'tls-file', 'authority-file', 'public-keys', 'namespace'],
    column: defaultColumn,
  },
  {
    heading: 'The identity provider of development',
    about: 'Never use it in production.',
    kinds: ['development'],
    column: defaultColumn,
  },
];

function section(variables: readonly Documented[], { heading, about, kinds, column }: Group): string {
  const rows = variables
    .filter(({ source }) => kinds.includes(source.kind))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((each) => `| \`${each.name}\` | ${column.of(each)} | ${readersCell(each)} | ${textCell(each)} |`);
  const head = `| Variable | ${column.head} | Read by | Description |\n|---|---|---|---|`;
  return `## ${heading}\n\n${about}\n\n${head}\n${rows.join('\n')}\n`;
}

/** Placeholder for a variable that each program has. */
const IMAGE_VERSIONS = '<PROGRAM>_VERSION';
const imageVersions = new Set(imageNames.map((name) => `${name.toUpperCase().replaceAll('-', '_')}_VERSION`));

/** Settings that only the Compose files read, mostly of third-party containers. */
const composeAlone: Readonly<Record<string, string>> = {
  GATEWAY_PORT: 'Published address and port of the gateway. `127.0.0.1:8080` publishes it on this machine only',
  PORTAL_PORT: 'Published address and port of the portal',
  IDP_PORT: 'Published port of the development identity provider',
  HTTPS_PORT: 'Published address and HTTPS port of the proxy of the profile `production`',
  HTTP_PORT: 'Published address and HTTP port of that proxy, which redirects browsers to HTTPS',
  API_HOST: 'Host name by which programs reach the API through that proxy',
  EDGE_SUBNET:
    'Subnet of the network of proxy, portal and gateway. `TRUSTED_PROXIES` and `PORTAL_TRUSTED_PROXIES` name it. ' +
    'Change it if the machine already has a route to these addresses',
  PROXY_CERTIFICATES: 'Folder of the certificates of the proxy: `api.crt`, `api.key`, `portal.crt`, `portal.key`',
  ALL_IN_ONE_SERVICES:
    'Services that the process of `docker-compose.all-in-one.yml` hosts. `deploy/compose/restore.sh` uses it to keep ' +
    'gateway and portal closed',
  IMAGE_REGISTRY: 'Registry of the images. `deploy/compose/use-release.sh` sets it, the pull policy and the versions',
  IMAGE_PULL_POLICY: 'When Compose pulls images from that registry: `never`, `missing` or `always`',
  [IMAGE_VERSIONS]: 'Tag of one image, such as `TASKS_VERSION=1.4.0`, with or without `@sha256:…`',
  POSTGRES_IMAGE:
    'Image of PostgreSQL. In production, use digests, such as `postgres:18@sha256:…`, because tags can move',
  POSTGRES_MAX_CONNECTIONS: 'Maximum connections of PostgreSQL: replicas × `DATABASE_POOL_MAX`, and one for each relay',
  RABBITMQ_IMAGE: 'Image of RabbitMQ',
  PROXY_IMAGE: 'Image of the proxy',
  AUDITOR_VOLUME:
    'Volume for the heads of the audit trails that the auditor stores, or a folder of the user 1000 on another machine',
  AUDITOR_ANCHORS: 'File in `AUDITOR_VOLUME`. `deploy/compose/restore.sh data` with a time starts a new one',
  BACKUP_VOLUME: 'Volume to which the profile `backup` writes, or a folder of the user 999 on another machine',
  BACKUP_FOLDER: 'Folder in `BACKUP_VOLUME`. `deploy/compose/restore.sh open` starts a new one',
  BACKUP_EVERY_SECONDS: 'Interval between base backups, in seconds',
  BACKUP_KEEP: 'Number of base backups to keep',
  BACKUP_SLOT_KEEPS: 'WAL that PostgreSQL keeps for a backup job that is not connected',
  OTEL_COLLECTOR_IMAGE: 'Image of the OpenTelemetry collector',
  PROMETHEUS_IMAGE: 'Image of Prometheus',
  PROMETHEUS_PORT: 'Published address and port of Prometheus',
  PROMETHEUS_RETENTION: 'Time that Prometheus keeps metrics',
  ALERTMANAGER_IMAGE: 'Image of Alertmanager',
  ALERTMANAGER_PORT: 'Published address and port of Alertmanager',
  ALERTMANAGER_CONFIG: 'Configuration file of Alertmanager, with its receivers',
  JAEGER_IMAGE: 'Image of Jaeger',
  JAEGER_PORT: 'Published address and port of Jaeger',
  GRAFANA_IMAGE: 'Image of Grafana',
  GRAFANA_PORT: 'Published address and port of Grafana',
  POSTGRES_EXPORTER_IMAGE: 'Image of postgres_exporter',
};

/**
 * @param compose text of the Compose files
 * @throws Error for a setting of Compose that this page does not describe
 */
function composeSection(compose: string, known: ReadonlySet<string>): string {
  const defaults = new Map<string, string>();
  for (const [, name = '', value = ''] of compose.matchAll(/\$\{([A-Z_]+):-([^}]*)\}/g))
    if (!known.has(name)) defaults.set(imageVersions.has(name) ? IMAGE_VERSIONS : name, value);
  const rows = [...defaults].toSorted().map(([name, value]) => {
    const about = composeAlone[name];
    if (about === undefined) throw new Error(`tools/contracts/settings-page.ts does not describe ${name}.`);
    return `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`;
  });
  return `## Compose only\n\n| Variable | Default | Description |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Every variable that a program reads. */
export function settingsPage(): Files {
  const files = ['docker-compose.yml', 'docker-compose.all-in-one.yml'];
  const compose = files.map((file) => readFileSync(join(root, file), 'utf8')).join('');
  return { 'docs/operate/settings.md': page(compose) };
}

function page(compose: string): string {
  const variables = documentedVariables();
  // Ports inside containers differ from those that Compose publishes.
  const known = new Set(variables.flatMap(({ name, source }) => (source.kind === 'listening' ? [] : [name])));
  return `<!-- Generated by tools/generate.ts from the src/environment.ts of each program. Change those. -->

# All settings

Programs are configured only by environment variables. If variables are invalid or missing, the program does not start
and reports all of them. It ignores variables that it does not read.

${groups.map((group) => section(variables, group)).join('\n')}
${composeSection(compose, known)}`;
}
