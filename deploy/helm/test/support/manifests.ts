import { parseAllDocuments } from 'yaml';

/** One variable that a container is given, wherever its value comes from. */
export interface Given {
  readonly name: string;
  /** As written. Undefined when it comes from elsewhere. */
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

/** What the tests look at in a Kubernetes object. */
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
    /** Of a CronJob. */
    jobTemplate?: Pick<KubernetesObject, 'spec'>;
    template: { metadata: { labels: Labels; annotations?: Record<string, string> }; spec: PodSpec };
    clusterIP?: string;
    ports: { name: string; port: number; targetPort: string }[];
    /** Of an Ingress. */
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
 * The object of a kind and name.
 * @param name undefined for an object that gets its name when it is created
 * @throws Error when there is not exactly one
 */
export function only(objects: readonly KubernetesObject[], kind: string, name: string | undefined): KubernetesObject {
  const [found, ...others] = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (!found || others.length > 0) throw new Error(`there is not exactly one ${kind} ${name}`);
  return found;
}

/** The pod that a Deployment or Job makes. */
export const podOf = ({ spec }: Pick<KubernetesObject, 'spec'>): PodSpec =>
  (spec.jobTemplate?.spec ?? spec).template.spec;

/** The services that peers of a NetworkPolicy name. */
export const namesOfPeers = (peers: readonly Peer[]): string[] =>
  peers.flatMap(({ podSelector }) => podSelector?.matchLabels['app.kubernetes.io/name'] ?? []).toSorted();

/** Which key of which Secret a file of a pod holds. Undefined for one that no Secret holds. */
function secretIn({ containers: [{ volumeMounts = [] }], volumes = [] }: PodSpec, file: string): Given['from'] {
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

/** What the container of a pod is given, and where it comes from: a secret by the name of what reads it. */
export const givenTo = (pod: PodSpec): Given[] =>
  pod.containers[0].env.map(({ name, value, valueFrom }) => {
    const reference = valueFrom?.configMapKeyRef;
    if (reference) return { name, value, from: { kind: 'ConfigMap', name: reference.name, key: reference.key } };
    const secret = value?.startsWith('/var/run/secrets/') ? secretIn(pod, value) : undefined;
    if (!secret) return { name, value, from: undefined };
    // What is said in a file of its own name stays a file for the program.
    return name.endsWith('_CA_FILE') || /(^|__)GRPC_TLS_/.test(name)
      ? { name, value, from: undefined }
      : { name: name.replace(/_FILE$/, ''), value: undefined, from: secret };
  });

/**
 * What the process of a pod would see.
 * @param objects Secrets and the ConfigMap that the pod refers to
 * @throws Error for a key that none of them has
 */
export const seenBy = (pod: PodSpec, objects: readonly KubernetesObject[]): Record<string, string | undefined> =>
  Object.fromEntries(
    givenTo(pod).map(({ name, value, from }) => {
      if (!from) return [name, value];
      const object = only(objects, from.kind, from.name);
      const text = (object.stringData ?? object.data)?.[from.key];
      if (text === undefined) throw new Error(`${from.kind} ${from.name} has no key ${from.key}`);
      return [name, text];
    }),
  );
