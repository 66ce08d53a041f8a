// Renders deploy/compose/plan.sh: the services of docker-compose.yml, in the order in which scripts start them.
import {
  calleesOf,
  grpcServices,
  isPublished,
  productionServices,
  type ALL_IN_ONE,
  type ServiceName,
} from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';

/** True if production has two replicas of a service. The console runs only while it is needed. */
export const hasTwoReplicas = (service: ServiceName): boolean =>
  service !== 'console' && productionServices.some(({ name }) => name === service);

export const secondReplica = (service: ServiceName | typeof ALL_IN_ONE): string => `${service}-2`;

const names = productionServices.map(({ name }) => name);

/** Internal services. */
export const behindGateway = names.filter((name) => grpcServices.includes(name));

/** Services with clients outside. */
export const edges = names.filter((name) => isPublished(name));

/** Contents of deploy/compose/plan.sh. */
export function planFile(): string {
  const unknown = names.filter((name) => ![...behindGateway, ...edges, 'console'].includes(name));
  const single = [...behindGateway, ...edges].filter((name) => !hasTwoReplicas(name));
  if (single.length > 0) throw new Error(`plan.ts treats ${single.join(', ')} as services with two replicas.`);
  if (unknown.length > 0) throw new Error(`plan.ts does not define when ${unknown.join(', ')} may start.`);
  const open = behindGateway.filter((name) => calleesOf(name).some((callee) => edges.includes(callee)));
  if (open.length > 0) throw new Error(`${open.join(', ')} would start the gateway.`);
  return `# ${GENERATED}
# Sourced by restore.sh and roll.sh. A second replica is called <name>-2 and has the profile "production".

# Internal services. They start before the gateway.
BEHIND_GATEWAY=(${behindGateway.join(' ')})
# Services with clients outside, behind the proxy in production.
EDGES=(${edges.join(' ')})
# Never started by a script. A restore stops them, because they would act on an unchecked system.
BY_HAND=(console sandbox)
`;
}
