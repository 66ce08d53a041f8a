// node deploy/helm/vendor-schemas.ts <folder>
// Makes deploy/helm/schemas of what others publish, as its README says: <folder>/kubernetes.json is the OpenAPI
// document of Kubernetes, and <folder>/crd holds CustomResourceDefinitions. Kept are the kinds that the charts and the
// examples have. A field that is not known is refused. Descriptions are left out.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseAllDocuments } from 'yaml';

interface Schema {
  type?: string | string[];
  format?: string;
  $ref?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  required?: string[];
  [keyword: string]: unknown;
}

interface Kind {
  group: string;
  version: string;
  kind: string;
}

/** Of Kubernetes itself. */
const KINDS = new Set([
  'v1/ConfigMap',
  'v1/Namespace',
  'v1/PersistentVolumeClaim',
  'v1/Secret',
  'v1/Service',
  'v1/ServiceAccount',
  'apps/v1/Deployment',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'batch/v1/CronJob',
  'batch/v1/Job',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
  'scheduling.k8s.io/v1/PriorityClass',
]);

/** What nobody here uses, and would be most of the text: its fields are refused. */
const DROPPED: Readonly<Record<string, readonly string[]>> = {
  // Other kinds of volumes.
  'io.k8s.api.core.v1.Volume': (
    'awsElasticBlockStore azureDisk azureFile cephfs cinder fc flexVolume flocker gcePersistentDisk gitRepo ' +
    'glusterfs iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume csi ephemeral'
  ).split(' '),
  Issuer: ['acme', 'venafi'],
  // Other stores than Vault, the clouds' own and a cluster's Secrets.
  SecretStore: (
    'akeyless alibaba barbican beyondtrust bitwardensecretsmanager chef cloudrusm conjur delinea device42 doppler ' +
    'fake fortanix github gitlab ibm infisical keepersecurity ngrok onboardbase onepassword onepasswordSDK oracle ' +
    'passbolt passworddepot previder pulumi scaleway secretserver senhasegura volcengine webhook ' +
    'yandexcertificatemanager yandexlockbox dvls openbao'
  ).split(' '),
  ApplicationSet: 'matrix merge plugin pullRequest scmProvider clusterDecisionResource kustomize plugin jsonnet'.split(
    ' ',
  ),
  Application: ['kustomize', 'jsonnet', 'operation', 'status'],
  PodMonitor: ['oauth2', 'authorization', 'basicAuth'],
  Cluster: [
    'nodeAffinity',
    'additionalPodAffinity',
    'additionalPodAntiAffinity',
    'ephemeralVolumeSource',
    'projectedVolumeTemplate',
    'env',
    'envFrom',
  ],
  // Of pods, what a broker has no use for.
  RabbitmqCluster: (
    'initContainers ephemeralContainers lifecycle livenessProbe readinessProbe startupProbe volumeClaimTemplates ' +
    'awsElasticBlockStore azureDisk azureFile cephfs cinder fc flexVolume flocker gcePersistentDisk gitRepo ' +
    'glusterfs iscsi nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume csi ephemeral'
  ).split(' '),
};

const KEYWORDS = new Set('type enum pattern minimum maximum minLength maxLength minItems maxItems required'.split(' '));

const textOrNumber = { type: ['integer', 'string'] };

/** Those of Go know more than those of JavaScript. */
function isPattern(pattern: string): boolean {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
}

function reduced(schema: Schema, kind: string, path: readonly string[] = []): Schema {
  if (schema.$ref) return { $ref: schema.$ref };
  if (schema['x-kubernetes-int-or-string'] ?? schema.format === 'int-or-string') return textOrNumber;
  const kept: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) if (KEYWORDS.has(keyword)) kept[keyword] = value;
  if (typeof kept['pattern'] === 'string' && !isPattern(kept['pattern'])) delete kept['pattern'];
  if (schema.items) kept.items = reduced(schema.items, kind, path);
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema.properties) {
    const entries = Object.entries(schema.properties).filter(
      ([name]) => !(DROPPED[kind]?.includes(name) || (path.length === 0 && name === 'status')),
    );
    kept.properties = Object.fromEntries(entries.map(([name, inner]) => [name, reduced(inner, kind, [...path, name])]));
    kept.additionalProperties = isOpen;
  } else if (typeof schema.additionalProperties === 'object')
    kept.additionalProperties = reduced(schema.additionalProperties, kind, path);
  return kept;
}

const idOf = ({ group, version, kind }: Kind): string => [group, version, kind].filter(Boolean).join('/');

function fromKubernetes(text: string): { kinds: Record<string, Schema>; definitions: Record<string, Schema> } {
  const { definitions: all } = JSON.parse(text) as { definitions: Record<string, Schema> };
  const definitions: Record<string, Schema> = {};
  const keep = (name: string): void => {
    if (definitions[name]) return;
    const short = name.split('.').at(-1) ?? name;
    const made = reduced(all[name] ?? {}, DROPPED[name] ? name : short);
    // A quantity may be written as a number too.
    definitions[name] =
      short === 'Quantity' ? { type: ['string', 'number'] } : short === 'IntOrString' ? textOrNumber : made;
    for (const [, next] of JSON.stringify(made).matchAll(/"#\/definitions\/([^"]+)"/g)) if (next) keep(next);
  };
  const kinds: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(all)) {
    for (const kind of (schema['x-kubernetes-group-version-kind'] ?? []) as Kind[]) {
      if (!KINDS.has(idOf(kind))) continue;
      keep(name);
      kinds[idOf(kind)] = { $ref: `#/definitions/${name}` };
    }
  }
  return { kinds, definitions };
}

interface Definition {
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; storage: boolean; schema: { openAPIV3Schema: Schema } }[];
  };
}

const META = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };

function fromDefinition({ spec: { group, names, versions } }: Definition): Record<string, Schema> {
  const [stored] = versions.filter(({ storage }) => storage);
  if (!stored) return {};
  const schema = reduced(stored.schema.openAPIV3Schema, names.kind);
  const whole = { ...schema, additionalProperties: false, properties: { ...schema.properties, metadata: META } };
  return { [idOf({ group, version: stored.name, kind: names.kind })]: whole };
}

const { positionals } = parseArgs({ allowPositionals: true });
const folder = positionals[0];
if (folder === undefined) throw new Error('name the folder that the README of deploy/helm/schemas describes');
const { kinds, definitions } = fromKubernetes(readFileSync(join(folder, 'kubernetes.json'), 'utf8'));
const files: Record<string, unknown> = { kubernetes: { definitions, kinds } };
for (const file of readdirSync(join(folder, 'crd'))) {
  for (const document of parseAllDocuments(readFileSync(join(folder, 'crd', file), 'utf8')))
    for (const [id, schema] of Object.entries(fromDefinition(document.toJS() as Definition)))
      files[id.replaceAll('/', '_')] = { kinds: { [id]: schema } };
}
for (const [name, content] of Object.entries(files))
  writeFileSync(join(import.meta.dirname, 'schemas', `${name}.json`), `${JSON.stringify(content)}\n`);
process.stdout.write(`${Object.keys(files).length} files\n`);
