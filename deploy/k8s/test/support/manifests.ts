import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../../../installation/test/support/programs.ts';

/** One variable that a container is given, wherever its value comes from. */
export interface Given {
  readonly name: string;
  /** As written. Undefined when it comes from elsewhere. */
  readonly value: string | undefined;
  /** A key of a Secret or ConfigMap. */
  readonly from:
    | { readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly key: string; readonly optional: boolean }
    | undefined;
}

interface Probe {
  grpc?: { port: number };
  httpGet?: { path: string; port: string };
}

interface EnvironmentEntry {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: Reference; configMapKeyRef?: Reference };
}

interface Reference {
  name: string;
  key: string;
  optional?: boolean;
}

export interface Container {
  image: string;
  args: string[];
  env: EnvironmentEntry[];
  volumeMounts?: { name: string; mountPath: string; readOnly: boolean }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[] };
  };
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds?: number;
  restartPolicy?: string;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  containers: [Container];
  volumes?: { name: string; secret: { secretName: string } }[];
}

type Labels = Record<string, string>;

interface Peer {
  podSelector?: { matchLabels: Labels };
  namespaceSelector?: object;
  ipBlock?: { cidr: string; except?: string[] };
}

/** What the tests look at in a Kubernetes object. */
export interface KubernetesObject {
  kind: string;
  type?: string;
  metadata: { name?: string; namespace?: string; labels?: Labels; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas: number;
    podFailurePolicy?: { rules: object[] };
    selector: Labels & { matchLabels: Labels };
    /** Of a CronJob. */
    jobTemplate?: Pick<KubernetesObject, 'spec'>;
    template: { metadata: { labels: Labels; annotations?: Record<string, string> }; spec: PodSpec };
    clusterIP?: string;
    ports: { name: string; port: number; targetPort: string }[];
    /** Of an Ingress. */
    rules?: { http: { paths: { backend: { service: object } }[] } }[];
    minAvailable: number;
    podSelector: { matchLabels?: Labels; matchExpressions?: { key: string; values: string[] }[] };
    policyTypes: string[];
    ingress?: { from?: Peer[]; ports?: { port: string | number }[] }[];
    egress?: { to?: Peer[]; ports?: { port: string | number }[] }[];
  };
}

export function parseObjects(text: string): KubernetesObject[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.map(String).join('\n'));
    return document.toJS() as KubernetesObject;
  });
}

/** The text of a file of deploy/k8s. */
export const manifestText = (path: string): string => readFileSync(join(projectRoot, 'deploy/k8s', path), 'utf8');

export interface Kustomization {
  resources: string[];
  images?: { name: string }[];
  commonAnnotations?: Labels;
}

export const readKustomization = (folder: string): Kustomization =>
  parse(manifestText(`${folder}/kustomization.yaml`)) as Kustomization;

/** All objects of a kustomization's own files. */
export const readObjects = (folder: string): KubernetesObject[] =>
  readKustomization(folder).resources.flatMap((path) => parseObjects(manifestText(`${folder}/${path}`)));

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

/** What a container is given, and where it comes from. */
export const givenTo = (container: Container): Given[] =>
  container.env.map(({ name, value, valueFrom }) => {
    const secret = valueFrom?.secretKeyRef;
    const reference = secret ?? valueFrom?.configMapKeyRef;
    const kind = secret ? ('Secret' as const) : ('ConfigMap' as const);
    return {
      name,
      value,
      from: reference && { kind, name: reference.name, key: reference.key, optional: reference.optional ?? false },
    };
  });
