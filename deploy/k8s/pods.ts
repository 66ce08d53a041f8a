// What pods have in common: variables, and rights that they do not have.
import {
  knownAs,
  migrationVariablesOf,
  ports,
  variablesReadBy,
  type DeclaredVariable,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';

/** Settings that the ConfigMap of `config` holds. The others are read when an overlay adds them. */
export const isAlwaysSet = ({ source, isRequired }: DeclaredVariable): boolean =>
  source.kind === 'namespace' || (source.kind === 'setting' && (isRequired || source.default !== undefined));

/** The variables of a container, as items of its list. */
export const variablesOfContainer = (program: ProgramName): string => itemsOf(program, variablesReadBy(program));

/** The variables of a service's migrations. Their secrets are of their own. */
export const variablesOfMigration = (service: ServiceName): string =>
  itemsOf(`migrate-${service}`, migrationVariablesOf(service));

const itemsOf = (secretName: string, variables: readonly DeclaredVariable[]): string =>
  variables
    .flatMap((variable) => {
      const value = valueOf(secretName, variable);
      return value === undefined ? [] : [`- { name: ${variable.name}, ${value} }`];
    })
    .join('\n');

function valueOf(secretName: string, variable: DeclaredVariable): string | undefined {
  const { name, source, isRequired } = variable;
  const optional = isAlwaysSet(variable) || isRequired ? '' : ', optional: true';
  switch (source.kind) {
    case 'secret':
      return `valueFrom: { secretKeyRef: { name: ${secretName}, key: ${name}${optional} } }`;
    case 'public-keys':
      return `valueFrom: { configMapKeyRef: { name: service-public-keys, key: ${name} } }`;
    case 'tls-file':
      return `value: '${TLS_FOLDER}/${source.file}'`;
    case 'address':
      return `value: '${source.service}:${ports.grpc}'`;
    case 'api-url':
      return `value: 'http://gateway'`;
    case 'listening':
      return `value: '${source.value}'`;
    case 'namespace':
    case 'setting':
      return `valueFrom: { configMapKeyRef: { name: settings, key: ${name}${optional} } }`;
    case 'own-default':
    case 'development':
      return undefined;
  }
}

/** Where a container finds its files of TLS. */
const TLS_FOLDER = '/var/run/secrets/saleschannel/tls';

/** Of a container. */
export const tlsMount = `\
volumeMounts:
  - { name: tls, mountPath: ${TLS_FOLDER}, readOnly: true }`;

/** Of a pod: by what the others know the program, from whoever issues it. It may change while the pod runs. */
export const tlsVolume = (program: ProgramName): string => `\
volumes:
  - name: tls
    secret: { secretName: ${knownAs(program)}-tls }`;

/** Of a pod: it has no account of the cluster's to use, and its processes are not root. */
export const podRights = `\
automountServiceAccountToken: false
# Kubernetes would set variables such as GATEWAY_PORT to addresses of its own.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }`;

/** Of a container. */
export const containerRights = `\
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }`;

/**
 * @param cpu what it gets at least, and its weight where cores are scarce
 * @param memory in MiB
 */
export const resources = (cpu: string, memory: { request: number; limit: number }): string => `\
resources:
  requests: { cpu: ${cpu}, memory: ${memory.request}Mi }
  limits: { cpu: '1', memory: ${memory.limit}Mi }`;

export const labelsOf = (name: string, component: string): string =>
  `{ app.kubernetes.io/name: ${name}, app.kubernetes.io/part-of: saleschannel, ` +
  `app.kubernetes.io/component: ${component} }`;
