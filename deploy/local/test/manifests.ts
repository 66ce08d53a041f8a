import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { projectRoot } from '../src/paths.ts';

/** One variable that a container is given, wherever its value comes from. */
export interface Given {
  readonly name: string;
  /** As written; undefined when it comes from elsewhere. */
  readonly value: string | undefined;
  /** A key of a Secret or ConfigMap. */
  readonly from:
    | { readonly kind: 'Secret' | 'ConfigMap'; readonly name: string; readonly key: string; readonly optional: boolean }
    | undefined;
}

export interface ComposeService {
  image: string;
  build?: { dockerfile: string; args: { APP: string } };
  environment?: Record<string, string>;
  secrets?: (string | { source: string; target: string })[];
  networks: string[];
  ports?: string[];
  profiles?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  command?: string[];
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  mem_limit: string;
  cpus: number;
  pids_limit: number;
}

export interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean } | null>;
  secrets: Record<string, { file: string }>;
}

export const readCompose = (): Compose =>
  parse(readFileSync(join(projectRoot, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;

/** Compose's `${NAME:-default}`, the one form that the file uses. */
export const interpolate = (text: string, settings: Record<string, string | undefined>): string =>
  text.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, fallback: string) => settings[name] || fallback);

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
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  terminationGracePeriodSeconds?: number;
  restartPolicy?: string;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  containers: [Container];
}

type Labels = Record<string, string>;

interface Peer {
  podSelector?: { matchLabels: Labels };
  namespaceSelector?: object;
}

/** Whatever of a Kubernetes object the tests look at. */
export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Record<string, string> };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: {
    replicas: number;
    selector: Labels & { matchLabels: Labels };
    template: { metadata: { labels: Labels; annotations?: Record<string, string> }; spec: PodSpec };
    clusterIP?: string;
    ports: { name: string; port: number; targetPort: string }[];
    minAvailable: number;
    podSelector: { matchLabels?: Labels };
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

/** All objects of a kustomization's own files. */
export function readKustomization(folder: string): KubernetesObject[] {
  const read = (path: string): string => readFileSync(join(projectRoot, 'deploy/k8s', folder, path), 'utf8');
  const { resources } = parse(read('kustomization.yaml')) as { resources: string[] };
  return resources.flatMap((path) => parseObjects(read(path)));
}

/** The object of a kind and name. @throws Error when there is not exactly one */
export function only(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  if (found.length !== 1 || !found[0]) throw new Error(`there are ${found.length} objects ${kind}/${name}`);
  return found[0];
}

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
