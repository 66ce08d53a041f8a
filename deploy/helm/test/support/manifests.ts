import { parseAllDocuments } from 'yaml';
import { afterAll, describe, test } from '@jest/globals';
import { copyCharts, type Charts, findHelm } from '../../charts.ts';

/** A variable of a container with any source. */
export interface ContainerVariable {
  readonly name: string;
  /** Literal value. Undefined for other sources. */
  readonly value: string | undefined;
  /** A key of a Secret or ConfigMap. */
  readonly from: { readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly key: string } | undefined;
}

interface Probe {
  grpc?: { port: number };
  httpGet?: { path: string; port: string };
}

interface Reference {
  name: string;
  key: string;
}

interface Item {
  key: string;
  path: string;
}

export interface Container {
  image: string;
  args: string[];
  env: { name: string; value?: string; valueFrom?: { configMapKeyRef: Reference } }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
}

interface Volume {
  name: string;
  secret?: { secretName: string; items?: Item[] };
  persistentVolumeClaim?: { claimName: string };
  projected?: { defaultMode: number; sources: { secret: { name: string; items: Item[] } }[] };
}

export interface PodSpec {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  priorityClassName?: string;
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: { topologyKey: string; labelSelector: { matchLabels: Labels } }[];
  restartPolicy?: string;
  securityContext: object;
  containers: [Container];
  volumes?: Volume[];
}

type Labels = Record<string, string>;

interface Peer {
  podSelector?: { matchLabels: Labels };
  namespaceSelector?: { matchLabels: Labels };
  ipBlock?: { cidr: string; except?: string[] };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: string | number }[];
}

/** Members of Kubernetes objects that tests read. */
export interface KubernetesObject {
  kind: string;
  type?: string;
  metadata: { name?: string; namespace?: string; labels?: Labels; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec: {
    replicas?: number;
    minReplicas: number;
    podFailurePolicy?: { rules: object[] };
    selector: Labels & { matchLabels: Labels };
    /** Only a CronJob has it. */
    jobTemplate?: Pick<KubernetesObject, 'spec'>;
    template: { metadata: { labels: Labels; annotations?: Record<string, string> }; spec: PodSpec };
    clusterIP?: string;
    ports: { name: string; port: number; targetPort: string }[];
    /** Only an Ingress has it. */
    rules?: { http: { paths: { backend: { service: object } }[] } }[];
    podSelector: { matchLabels?: Labels };
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
  };
}

export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.map(String).join('\n'));
    const object = document.toJS() as KubernetesObject | null;
    return object ? [object] : [];
  });
}

/**
 * Returns the object of a kind and name.
 * @param name undefined for an object that gets its name at its creation
 * @throws Error unless there is exactly one
 */
export function findObject(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string | undefined,
): KubernetesObject {
  const [found, ...others] = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (!found || others.length > 0) throw new Error(`expected exactly one ${kind} ${name}`);
  return found;
}

/** Pod of a Deployment or Job. */
export const podOf = ({ spec }: Pick<KubernetesObject, 'spec'>): PodSpec =>
  (spec.jobTemplate?.spec ?? spec).template.spec;

/** Services in the peers of a NetworkPolicy. */
export const namesOfPeers = (peers: readonly Peer[]): string[] =>
  peers.flatMap(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? []).toSorted();

/** Secret and key of a file in a pod. Undefined for other files. */
function secretIn(
  { containers: [{ volumeMounts = [] }], volumes = [] }: PodSpec,
  file: string,
): ContainerVariable['from'] {
  const mount = volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`));
  const volume = volumes.find(({ name }) => name === mount?.name);
  const path = file.slice((mount?.mountPath.length ?? 0) + 1);
  const sources = volume?.projected?.sources.map(({ secret }) => secret) ?? [];
  const { secretName = '', items = [{ key: path, path }] } = volume?.secret ?? {};
  const found = [...sources, { name: secretName, items }].flatMap(({ name, items: held }) =>
    held.flatMap((item) => (item.path === path && name ? [{ kind: 'Secret' as const, name, key: item.key }] : [])),
  );
  return found[0];
}

/** Variables of a container with their sources; secrets under the names of their variables. */
export const listVariables = (pod: PodSpec): ContainerVariable[] =>
  pod.containers[0].env.map(({ name, value, valueFrom }) => {
    const reference = valueFrom?.configMapKeyRef;
    if (reference) return { name, value, from: { kind: 'ConfigMap', name: reference.name, key: reference.key } };
    const secret = value?.startsWith('/var/run/secrets/') ? secretIn(pod, value) : undefined;
    if (!secret) return { name, value, from: undefined };
    // A variable that names a file remains one for the program.
    return name.endsWith('_CA_FILE') || /(^|__)GRPC_TLS_/.test(name)
      ? { name, value, from: undefined }
      : { name: name.replace(/_FILE$/, ''), value: undefined, from: secret };
  });

/**
 * Environment of a pod's process.
 * @param objects Secrets and the ConfigMap that the pod refers to
 * @throws Error for a missing key
 */
export const podEnvironment = (
  pod: PodSpec,
  objects: readonly KubernetesObject[],
): Record<string, string | undefined> =>
  Object.fromEntries(
    listVariables(pod).map(({ name, value, from }) => {
      if (!from) return [name, value];
      const object = findObject(objects, from.kind, from.name);
      const text = (object.stringData ?? object.data)?.[from.key];
      if (text === undefined) throw new Error(`${from.kind} ${from.name} has no key ${from.key}`);
      return [name, text];
    }),
  );

export const PRODUCTION = 'examples/values-production.yaml';

const helm = findHelm();

/** Skips tests that need Helm on machines without it, with a message. */
export function describeWithHelm(what: string, body: (charts: Charts) => void): void {
  if (helm) {
    describe(what, () => {
      const charts = copyCharts(helm);
      afterAll(() => charts.remove());
      body(charts);
    });
  } else test(`${what}: not tested, there is no Helm 4 on this machine`, () => undefined);
}

/** Renders a production installation, with the services of a sandbox and the job of the admin command. */
export const renderEverything = (charts: Charts): KubernetesObject[] =>
  parseObjects(
    charts.render('saleschannel', [PRODUCTION], '--set', 'sandbox.enabled=true,admin.args={list-sales-channels}'),
  );
