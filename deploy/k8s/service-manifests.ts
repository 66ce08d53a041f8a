// Everything that Kubernetes has of one service.
import { LIVENESS } from '@saleschannel/grpc';
import {
  apiCallers,
  calleesOf,
  callersOf,
  httpPorts,
  isPublished,
  ports,
  reads,
  usualMemory,
  type ServiceName,
  type services,
} from '@saleschannel/installation';
import { comment, indented } from '../manifest-text.ts';
import { containerRights, labelsOf, podRights, resources, tlsMount, tlsVolume, variablesOfContainer } from './pods.ts';

/** Account, Deployment, Service, PodDisruptionBudget and NetworkPolicy. */
export function serviceManifests(service: (typeof services)[number]): string {
  const { name, description, onReplicas } = service;
  const about = onReplicas === undefined ? description : `${description} ${onReplicas}`;
  return [
    `${comment(`${name}: ${about}`)}\n${account(name)}`,
    deployment(service),
    isHttp(name) ? httpService(name) : grpcService(name),
    disruptionBudget(name),
    networkPolicy(name),
  ].join('---\n');
}

const isHttp = (name: ServiceName): boolean => httpPorts.has(name);
const hasTls = (name: ServiceName): boolean => reads(name, 'GRPC_TLS_CERT_FILE');
const selectorOf = (name: string): string =>
  `{ app.kubernetes.io/name: ${name}, app.kubernetes.io/component: service }`;

const account = (name: ServiceName): string => `\
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ${name}
automountServiceAccountToken: false
`;

const deployment = ({ name, memory, yieldsCpu }: (typeof services)[number]): string => `\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: &labels ${labelsOf(name, 'service')}
spec:
  replicas: 2
  revisionHistoryLimit: 5
  selector:
    matchLabels: ${selectorOf(name)}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: *labels
      annotations:
        prometheus.io/scrape: 'true'
        prometheus.io/port: '${ports.metrics}'
        prometheus.io/path: /metrics
    spec:
      serviceAccountName: ${name}
${indented(podRights, 6)}
      # Five seconds to be taken out of the names, and 25 at most to finish what is under way.
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: ${selectorOf(name)}
      containers:
        - name: ${name}
          image: saleschannel/${name}
          args: [serve]
          env:
${indented(variablesOfContainer(name), 12)}
${hasTls(name) ? `${indented(tlsMount, 10)}\n` : String()}          ports:
${indented(containerPorts(name), 12)}
${indented(probes(name), 10)}
          lifecycle:
            preStop: { sleep: { seconds: 5 } }
${indented(resources(yieldsCpu ? '25m' : '100m', memory ?? usualMemory), 10)}
${indented(containerRights, 10)}
${hasTls(name) ? `${indented(tlsVolume(name), 6)}\n` : String()}`;

const containerPorts = (name: ServiceName): string =>
  [
    ...(isHttp(name)
      ? [`- { name: http, containerPort: ${httpPorts.get(name)} }`]
      : [`- { name: grpc, containerPort: ${ports.grpc} }`, `- { name: health, containerPort: ${ports.health} }`]),
    `- { name: metrics, containerPort: ${ports.metrics} }`,
  ].join('\n');

function probes(name: ServiceName): string {
  const ask = (path: string, asked: string): string =>
    isHttp(name) ? `httpGet: { path: ${path}, port: http }` : `grpc: { port: ${ports.health}${asked} }`;
  // Whether the process is well. It recovers by itself when its database does, so it is not restarted for that.
  const alive = ask('/healthz', `, service: ${LIVENESS}`);
  return `\
startupProbe:
  ${alive}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 60
livenessProbe:
  ${alive}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  ${ask('/readyz', '')}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2`;
}

const serviceHead = (name: ServiceName): string => `\
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  labels: { app.kubernetes.io/name: ${name}, app.kubernetes.io/part-of: saleschannel }`;

const grpcService = (name: ServiceName): string => `\
${serviceHead(name)}
spec:
  # Headless: clients see every replica and balance by themselves, call by call. One connection through a cluster IP
  # would reach one replica.
  clusterIP: None
  ports:
    - { name: grpc, port: ${ports.grpc}, targetPort: grpc }
  selector: ${selectorOf(name)}
`;

const httpService = (name: ServiceName): string => `\
${serviceHead(name)}
spec:
  ports:
    - { name: http, port: 80, targetPort: http }
  selector: ${selectorOf(name)}
`;

const disruptionBudget = (name: ServiceName): string => `\
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
spec:
  minAvailable: 1
  selector:
    matchLabels: ${selectorOf(name)}
`;

const networkPolicy = (name: ServiceName): string => `\
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchLabels: ${selectorOf(name)}
  policyTypes: [Ingress, Egress]
  ingress:
${indented(isHttp(name) ? fromOutside(name) : fromCallers(name), 4)}
    # Prometheus.
    - from:
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } }
      ports: [{ port: metrics }]
${egress(name)}`;

const fromIngress = `\
# The ingress controller and nobody else: what it says of clients' addresses is believed (TRUSTED_PROXIES). If yours
# has another namespace, name that in your overlay.
- from:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ingress-nginx } }
  ports: [{ port: http }]`;

/** The API is asked by the portal too. */
function fromOutside(name: ServiceName): string {
  if (name === 'gateway')
    return `${fromIngress}\n- from:\n${indented(peers(apiCallers), 4)}\n  ports: [{ port: http }]`;
  return isPublished(name) ? fromIngress : fromNobody;
}

const fromNobody =
  '# Nobody. Operators come by "kubectl port-forward": the cluster asks them who they are, and the way ends here.';

const peers = (names: readonly string[]): string =>
  names.map((name) => `- podSelector: { matchLabels: { app.kubernetes.io/name: ${name} } }`).join('\n');

const fromCallers = (name: ServiceName): string => `\
- from:
${indented(peers(callersOf(name)), 4)}
  ports: [{ port: grpc }]`;

/** To other services. The ways out of the namespace are those of config/egress.yaml. */
function egress(name: ServiceName): string {
  const callees = calleesOf(name);
  const ways = [
    ...(apiCallers.includes(name) ? [wayTo(['gateway'], ports.gateway)] : []),
    ...(callees.length > 0 ? [wayTo(callees, ports.grpc)] : []),
  ];
  return ways.length === 0 ? '  egress: []\n' : `  egress:\n${ways.join(String())}`;
}

const wayTo = (names: readonly string[], port: number): string =>
  `    - to:\n${indented(peers(names), 8)}\n      ports: [{ port: ${port} }]\n`;
