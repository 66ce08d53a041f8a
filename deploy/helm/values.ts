// Renders values.yaml of charts, and schemas that refuse other values.
import { ADMIN, ALL_IN_ONE, AUDITOR, services, usualMemory, type ImageName } from '@saleschannel/installation';
import { comment, indented } from '../manifest-text.ts';
import { isMigrated, isService, listRequiredSettings, listSecretVariables, listSettings } from './model.ts';

type Schema = Readonly<Record<string, unknown>>;

const object = (properties: Schema, required: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const texts: Schema = { type: 'object', additionalProperties: text };
const list = (items: Schema, minItems = 0): Schema => ({ type: 'array', items, minItems });
const count = (minimum: number, maximum = 1_000): Schema => ({ type: 'integer', minimum, maximum });
/** An object that the cluster validates. */
const open: Schema = { type: 'object' };
const nameOf: Schema = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$' };

/** Settings are quoted strings: Helm would write 31536000 as 3.1536e+07. */
const setting: Schema = { type: 'string', minLength: 1 };
const url: Schema = { type: 'string', pattern: '^https?://' };
const settingForms: Readonly<Record<string, Schema>> = {
  OIDC_ISSUER: url,
  PORTAL_URL: url,
  CONSOLE_URL: url,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  BEHIND_PROXY: { enum: ['yes', 'no'] },
  SANDBOX: { enum: ['true', 'false'] },
};
const settingsSchema = (names: readonly string[]): Schema =>
  object(Object.fromEntries(names.toSorted().map((name) => [name, settingForms[name] ?? setting])));

/** Programs with a chart. */
export const chartPrograms: readonly ImageName[] = [
  ...services.filter(({ isForDevelopment }) => !isForDevelopment).map(({ name }) => name),
  ALL_IN_ONE,
  ADMIN,
  AUDITOR,
];

const peer = object({
  podSelector: open,
  namespaceSelector: open,
  ipBlock: object({ cidr: text, except: list(text) }, ['cidr']),
});
/** At least one: an empty list would allow all peers. */
const peers = list({ ...peer, minProperties: 1 }, 1);
const way = object({ to: peers, ports: list(count(1, 65_535)) }, ['to']);
const authority = object({ caSecret: object({ name: { type: 'string' }, key: text }) });
const host = object({ host: text, tlsSecret: text });

const globalSchema: Schema = object({
  image: object({
    registry: text,
    tag: text,
    pullPolicy: { enum: ['Always', 'IfNotPresent', 'Never'] },
    pullSecrets: list(nameOf),
  }),
  settings: {
    ...settingsSchema([...new Set(chartPrograms.flatMap(listSettings))]),
    // Otherwise all clients would have the proxy's address, and the gateway refuses to start.
    anyOf: [
      { required: ['TRUSTED_PROXIES'] },
      { not: { properties: { BEHIND_PROXY: { const: 'yes' } }, required: ['BEHIND_PROXY'] } },
    ],
  },
  allInOne: flag,
  replicas: count(1),
  autoscaling: flag,
  priorityClassName: text,
  secretsVersion: text,
  reloader: flag,
  database: authority,
  broker: authority,
  network: object({
    dns: object({ to: peers, nodeLocalAddress: text }, ['to']),
    database: way,
    broker: way,
    issuer: way,
    receivers: way,
    collector: way,
    ingress: object({ from: peers }, ['from']),
    monitoring: object({ from: peers }, ['from']),
  }),
  publish: object({
    by: { enum: ['nothing', 'ingress', 'gateway'] },
    api: host,
    portal: host,
    ingress: object({ className: text, annotations: texts }),
    gateway: object({ parents: list(open) }),
  }),
  monitoring: object({ podMonitors: flag, rules: flag, dashboards: flag, interval: text, labels: texts }),
});

/** Schema of "global" in a chart, with the settings that its programs require. */
function globalWith(programs: readonly ImageName[]): Schema {
  const required = [...new Set(programs.flatMap(listRequiredSettings))];
  if (required.length === 0) return { $ref: '#/definitions/global' };
  return {
    allOf: [{ $ref: '#/definitions/global' }, { properties: { settings: { required } }, required: ['settings'] }],
  };
}

const chartSchema = (programs: readonly ImageName[], properties: Schema): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  ...object({ global: globalWith(programs), 'saleschannel-library': open, ...properties }, ['global']),
  definitions: { global: globalSchema },
});

const resources = object({ requests: texts, limits: texts }, ['requests', 'limits']);

const anchors = object({
  by: { enum: ['claim', 'nothing'] },
  claim: nameOf,
  file: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
});

export function programSchema(program: ImageName): Schema {
  const variables = listSecretVariables(program);
  const isApart = program !== ALL_IN_ONE;
  return chartSchema([program], {
    ...(isApart ? { enabled: flag, secretName: nameOf } : {}),
    image: object({ repository: text, tag: text, digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' } }),
    settings: settingsSchema(listSettings(program)),
    secrets: object(Object.fromEntries(variables.map((name) => [name, object({ name: nameOf, key: text })]))),
    secretsVersion: text,
    resources,
    podLabels: texts,
    podAnnotations: texts,
    priorityClassName: text,
    nodeSelector: texts,
    tolerations: list(open),
    ...(isService(program) || !isApart
      ? {
          replicas: { oneOf: [count(1), { type: 'null' }] },
          autoscaling: object({
            enabled: flag,
            minReplicas: count(2),
            maxReplicas: count(2),
            cpuPercent: count(1, 1_000),
          }),
        }
      : {}),
    ...(isMigrated(program) ? { migration: object({ ...(isApart ? { secretName: nameOf } : {}), resources }) } : {}),
    ...(program === AUDITOR ? { schedule: text, anchors } : {}),
    ...(program === ADMIN ? { args: list(text) } : {}),
  });
}

export const installationSchema = (): Schema => chartSchema([], {});

/** Charts of services validate their own values. */
export const umbrellaSchema = (): Schema =>
  chartSchema([], {
    ...Object.fromEntries(chartPrograms.map((program) => [program, { type: 'object' }])),
    installation: object({ global: open }),
  });

/** Reasons not to scale a program. */
const notScaled: Readonly<Record<string, string>> = {
  'registry-import': 'Each replica applies imports of up to three account holders, one at a time per holder.',
  console: 'Only a few operators use it.',
  sandbox: 'It acts only on requests of testers.',
  [ALL_IN_ONE]: 'Use separate services for an installation that must scale automatically.',
};

const resourcesText = (cpu: string, memory: { request: number; limit: number }): string => `\
resources:
  requests: { cpu: ${cpu}, memory: ${memory.request}Mi }
  limits: { cpu: '1', memory: ${memory.limit}Mi }`;

function serviceText(program: ImageName): string {
  if (!isService(program) && program !== ALL_IN_ONE) return '';
  const why = notScaled[program];
  return `\
# Null: global.replicas.
replicas: null
${comment(
  (why ?? 'Scales by the CPU use of replicas if global.autoscaling is true.') +
    (isMigrated(program) ? ' PostgreSQL needs room for DATABASE_POOL_MAX connections of each replica.' : ''),
)}
autoscaling: { enabled: ${String(why === undefined)}, minReplicas: 2, maxReplicas: 6, cpuPercent: 70 }
`;
}

const commands: Readonly<Record<string, typeof usualMemory>> = {
  [ADMIN]: { request: 96, limit: 256 },
  [AUDITOR]: { request: 128, limit: 512 },
  [ALL_IN_ONE]: { request: 512, limit: 1536 },
};
const memoryOf = (program: ImageName): typeof usualMemory =>
  services.find(({ name }) => name === program)?.memory ?? commands[program] ?? usualMemory;
const cpuOf = (program: ImageName): string =>
  services.find(({ name }) => name === program)?.yieldsCpu ? '25m' : program === ADMIN ? '50m' : '100m';

const ownText: Readonly<Record<string, string>> = {
  [AUDITOR]: `\
schedule: '17 3 * * *'
# Where the heads of audit trails stay until the next run: on a "claim" of this name, such as that of
# deploy/helm/examples/namespace.yaml, or "nothing". Without them the audit cannot detect entries that were cut off the
# end of a trail. After a restore to an earlier time, name another file.
anchors: { by: claim, claim: auditor-anchors, file: heads.jsonl }
`,
  [ADMIN]: '# Arguments of the command. Without any, the chart creates no job.\nargs: []\n',
};

/** Omits lines from all-in-one, which has the secrets of the hosted services only. */
const owned = (program: ImageName, lines: string): string => (program === ALL_IN_ONE ? '' : lines);

const migrationText = (program: ImageName): string => `\
migration:
${owned(program, `  # Secret of the role that owns the tables.\n  secretName: migrate-${program}\n`)}\
${indented(resourcesText('100m', { request: 128, limit: 512 }), 2)}
`;

/** Contents of a program's values.yaml. */
export function programValues(program: ImageName, globalText: string): string {
  return `\
${comment(`Values of ${program} alone. "global" has the values of the whole installation.`)}
${owned(program, `enabled: ${String(program !== 'sandbox')}\n`)}\
# Default repository: global.image.registry/saleschannel/${program}. Default tag: the version of this chart.
image: { repository: '', tag: '', digest: '' }
# Override "global.settings". Strings, in quotes.
settings: {}
${owned(program, `# The Secret whose keys are variables.\nsecretName: ${program}\n`)}\
${comment(`Secrets and keys of single variables, such as ${listSecretVariables(program).at(0)}: { name: …, key: … }.`)}
secrets: {}
# Change this string to restart the program: docs/operate/kubernetes.md#secrets.
secretsVersion: ''
${serviceText(program)}${resourcesText(cpuOf(program), memoryOf(program))}
podLabels: {}
podAnnotations: {}
priorityClassName: ''
nodeSelector: {}
tolerations: []
${isMigrated(program) ? migrationText(program) : ''}${ownText[program] ?? String()}
${globalText}`;
}
