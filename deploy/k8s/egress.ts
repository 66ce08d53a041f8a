// Where programs may go out of the namespace. Which addresses these are is an installation's own: an overlay says so.
import {
  ADMIN,
  AUDITOR,
  databaseServices,
  productionServices,
  reads,
  sandboxServices,
  type ProgramName,
} from '@saleschannel/installation';
import { comment } from '../manifest-text.ts';

interface Way {
  readonly name: string;
  readonly about: string;
  readonly programs: readonly string[];
  readonly to: readonly string[];
  /** None: all. */
  readonly ports: readonly number[];
}

/** RFC 1918 and RFC 4193: a server in the cluster or beside it. */
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'];
const block = (cidr: string): string => `- ipBlock: { cidr: ${cidr} }`;
const inPrivateNetworks = [...privateNetworks, 'fc00::/7'].map(block);
/** The internet, and not the machines beside this one: nor what clouds tell about themselves at 169.254.169.254. */
const outside = [
  `- ipBlock: { cidr: 0.0.0.0/0, except: [${[...privateNetworks, '169.254.0.0/16', '127.0.0.0/8'].join(', ')}] }`,
  `- ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10', '::1/128'] }`,
];

const programs: readonly ProgramName[] = [
  ...[...productionServices, ...sandboxServices].map(({ name }) => name),
  ADMIN,
  AUDITOR,
];
const readersOf = (variable: string): string[] => programs.filter((program) => reads(program, variable));

/** Each is a policy of its own, so that an overlay can narrow it for all programs at once. */
const ways: readonly Way[] = [
  {
    name: 'to-database',
    about: 'PostgreSQL, in a private network. Name its addresses in your overlay, as the example of production does.',
    programs: [...readersOf('DATABASE_URL'), ...databaseServices.map((service) => `migrate-${service}`), AUDITOR],
    to: inPrivateNetworks,
    ports: [5432],
  },
  {
    name: 'to-broker',
    about: 'RabbitMQ, in a private network, plain or with TLS. Name its addresses and its one port in your overlay.',
    programs: readersOf('AMQP_URL'),
    to: inPrivateNetworks,
    ports: [5672, 5671],
  },
  {
    name: 'to-issuer',
    about: 'The issuer of access tokens, outside. Name its addresses in your overlay if they stay the same.',
    programs: readersOf('OIDC_ISSUER'),
    to: outside,
    ports: [443],
  },
  {
    name: 'to-webhooks',
    about: 'Where sales channels want their events to be sent: outside, at any port.',
    programs: readersOf('WEBHOOK_SECRET_KEYS'),
    to: outside,
    ports: [],
  },
  {
    name: 'to-collector',
    about: 'Traces, to a collector in the namespace of the monitoring.',
    programs: readersOf('OTEL_EXPORTER_OTLP_ENDPOINT'),
    to: ['- namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } }'],
    ports: [4318],
  },
];

/** The whole text of config/egress.yaml. */
export const egressPolicies = (): string => ways.map(policyOf).join('---\n');

const policyOf = ({ name, about, programs, to, ports }: Way): string => `\
${comment(about)}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchExpressions:
      - key: app.kubernetes.io/name
        operator: In
        values: [${programs.join(', ')}]
  policyTypes: [Egress]
  egress:
    - to:
${to.map((peer) => `        ${peer}`).join('\n')}
${ports.length === 0 ? '' : portsOf(ports)}`;

const portsOf = (ports: readonly number[]): string =>
  `      ports: [${ports.map((port) => `{ port: ${port} }`).join(', ')}]\n`;
