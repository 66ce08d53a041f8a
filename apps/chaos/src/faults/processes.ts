import { setTimeout as delay } from 'node:timers/promises';
import { replicaName, zones, type Unit, type Zone } from '../fleet/layout.ts';
import type { Replica } from '../fleet/replica.ts';
import { everywhere, nothingToHeal, type Fault, type Target } from './fault.ts';

const targetsOf = (units: readonly Unit[]): Target[] =>
  units.flatMap((unit) => zones.map((zone) => ({ name: replicaName(unit, zone), zone })));

/** Ends of replicas and of servers, as SIGKILL and SIGSTOP make them. */
export const processFaults = (units: readonly Unit[]): Fault[] => [
  {
    kind: 'replica-kill',
    hits: 'one',
    targets: targetsOf(units),
    seconds: [0, 15],
    weight: 3,
    async inject({ fleet }, { target }) {
      const replica = fleet.replica(target);
      await replica.kill();
      return () => replica.start();
    },
  },
  {
    kind: 'replica-pause',
    hits: 'one',
    targets: targetsOf(units),
    seconds: [3, 30],
    weight: 3,
    inject({ fleet }, { target }) {
      const replica = fleet.replica(target);
      replica.signal('SIGSTOP');
      return Promise.resolve(() => Promise.resolve(replica.signal('SIGCONT')));
    },
  },
  {
    kind: 'unit-kill',
    hits: 'all',
    targets: units.map(({ program }) => everywhere(program)),
    seconds: [0, 3],
    weight: 2,
    async inject({ fleet }, { target }) {
      const replicas = fleet.replicas.filter(({ unit }) => unit.program === target);
      await Promise.all(replicas.map((replica) => replica.kill()));
      return () => startEach(replicas);
    },
  },
  {
    kind: 'everything-kill',
    hits: 'all',
    targets: [everywhere('everything')],
    seconds: [0, 2],
    weight: 1,
    async inject({ fleet, postgres, broker }) {
      const { replicas } = fleet;
      await Promise.all([...replicas, postgres, broker].map((each) => each.kill()));
      return async () => {
        await Promise.all([postgres.start(), broker.start(), startEach(replicas)]);
      };
    },
  },
  crashAfterAccept(units),
];

const startEach = async (replicas: readonly Replica[]): Promise<void> => {
  await Promise.all(replicas.map((replica) => replica.start()));
};

/** A trade that was accepted is on its way through these for some tens of milliseconds. */
const CRASH_WITHIN_MS = 80;
const onTheWay = ['tasks', 'inventory', 'events'] as const;

/** Kills the replicas of one zone in turns, each a moment after a trade was accepted, as often as there is time. */
function crashAfterAccept(units: readonly Unit[]): Fault {
  const hitUnits = units.filter((unit) => onTheWay.some((service) => unit.services.includes(service)));
  return {
    kind: 'crash-after-accept',
    hits: 'one',
    targets: zones.map((zone) => ({ name: `zone ${zone}`, zone })),
    seconds: [25, 40],
    weight: 4,
    async inject({ fleet, log }, { target, forMs, random }) {
      const zone = Number(target.split(' ')[1]) as Zone;
      const replicas = hitUnits.map((unit) => fleet.replica(replicaName(unit, zone)));
      const starts = new Map<Replica, Promise<void>>();
      const crashes: Promise<void>[] = [];
      let count = 0;
      const crash = async (replica: Replica): Promise<void> => {
        await delay(random() * CRASH_WITHIN_MS);
        await replica.kill();
        count += 1;
        await replica.start();
      };
      let turn = 0;
      const end = fleet.onAccepted(() => {
        const replica = replicas[turn++ % replicas.length];
        if (!replica || starts.has(replica)) return;
        const crashing = crash(replica).finally(() => starts.delete(replica));
        starts.set(replica, crashing);
        crashing.catch(() => undefined);
        crashes.push(crashing);
      });
      await delay(forMs);
      end();
      await Promise.all(crashes);
      log(`  ${count} crashes a moment after a trade was accepted`);
      return nothingToHeal;
    },
  };
}
