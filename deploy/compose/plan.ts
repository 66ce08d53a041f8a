// deploy/compose/plan.sh: which services of docker-compose.yml the scripts stop and start, and in which order.
import { calleesOf, grpcServices, isPublished, productionServices } from '@saleschannel/installation';
import { GENERATED } from '../manifest-text.ts';
import { isTwofold } from './twofold.ts';

const names = productionServices.map(({ name }) => name);

/** Services that the gateway calls, or that only call each other. None of them lets anybody in. */
export const behindGateway = names.filter((name) => grpcServices.includes(name));

/** Services that let people and machines in. */
export const edges = names.filter((name) => isPublished(name));

/** The whole text of deploy/compose/plan.sh. */
export function planFile(): string {
  const unknown = names.filter((name) => ![...behindGateway, ...edges, 'console'].includes(name));
  const single = [...behindGateway, ...edges].filter((name) => !isTwofold(name));
  if (single.length > 0) throw new Error(`plan.ts treats ${single.join(', ')} as services with two replicas.`);
  if (unknown.length > 0) throw new Error(`plan.ts does not define when ${unknown.join(', ')} may start.`);
  const open = behindGateway.filter((name) => calleesOf(name).some((callee) => edges.includes(callee)));
  if (open.length > 0) throw new Error(`${open.join(', ')} would start the gateway.`);
  return `# ${GENERATED}
# Sourced by restore.sh and roll.sh. A second replica is called <name>-2 and has the profile "production".

# Behind the gateway. They start before it, and let nobody in.
BEHIND_GATEWAY=(${behindGateway.join(' ')})
# Let people and machines in. In production the proxy stands in front of them.
EDGES=(${edges.join(' ')})
# Never started by a script. A restore stops them: they would act on a system that is not checked yet.
BY_HAND=(console sandbox)
`;
}
