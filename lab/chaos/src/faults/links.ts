import { brokerServices, calleesOf, databaseServices } from '@saleschannel/installation';
import type { Proxy } from '@saleschannel/testing/proxy';
import type { Installation } from '../fleet/installation.ts';
import type { LinkSide } from '../fleet/network.ts';
import { hosts, type Unit } from '../fleet/replicas.ts';
import { replicaTargets, type Fault, type FaultOccurrence, type Target } from './fault.ts';

type HitSide = LinkSide | 'callers';

/** Every connection side of every replica. */
const listTargets = (units: readonly Unit[]): Target[] =>
  units.flatMap((unit) =>
    replicaTargets([unit]).flatMap(({ name, zone }) =>
      listSides(unit, units).map((side) => ({ name: `${name}:${side}`, zone })),
    ),
  );

function listSides(unit: Unit, units: readonly Unit[]): HitSide[] {
  const sides: HitSide[] = [];
  if (unit.services.some((service) => databaseServices.includes(service))) sides.push('database');
  if (unit.services.some((service) => brokerServices.includes(service))) sides.push('broker');
  if (unit.services.includes('gateway')) sides.push('clients');
  const callees = new Set(unit.services.flatMap(calleesOf));
  sides.push(...[...callees].filter((callee) => !hosts(unit, callee) && units.some((other) => hosts(other, callee))));
  const isCalled = units.some(
    (other) => other !== unit && other.services.flatMap(calleesOf).some((callee) => hosts(unit, callee)),
  );
  if (isCalled) sides.push('callers');
  return sides;
}

const proxiesAt = ({ fleet }: Installation, target: string): Proxy[] => {
  const [replica, side] = target.split(':') as [string, HitSide];
  return fleet.network.listLinks(replica, side).map(({ proxy }) => proxy);
};

/** Creates a network fault on one side of one replica, which lasts until it is healed. */
const linkFault = (
  kind: string,
  units: readonly Unit[],
  seconds: Fault['seconds'],
  change: (proxy: Proxy, hit: FaultOccurrence) => void,
): Fault => ({
  kind,
  hits: 'one',
  targets: listTargets(units),
  seconds,
  weight: 2,
  inject(installation, hit) {
    const proxies = proxiesAt(installation, hit.target);
    const { random } = hit;
    const share = random();
    for (const proxy of proxies) change(proxy, { ...hit, random: () => share });
    return () => {
      for (const proxy of proxies) proxy.restore();
    };
  },
});

const toSlowness = (share: number) => ({ latencyMs: 20 + share * 480, bytesPerSecond: 20_000 + (1 - share) * 180_000 });

export const linkFaults = (units: readonly Unit[]): Fault[] => [
  linkFault('link-hole', units, [5, 30], (proxy) => proxy.blackhole()),
  linkFault('link-hole-one-way', units, [5, 25], (proxy, { random }) =>
    proxy.blackhole(random() < 0.5 ? 'requests' : 'answers'),
  ),
  linkFault('link-reset', units, [0, 10], (proxy) => proxy.cut()),
  linkFault('link-slow', units, [5, 25], (proxy, { random }) => proxy.slow(toSlowness(random()))),
];
