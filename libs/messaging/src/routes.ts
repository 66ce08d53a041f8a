import { isIntegrationEventType } from '@saleschannel/contracts';
import type { Broker } from './broker.ts';
import { names, queuesOf } from './topology.ts';

export interface Routes {
  /** Whether every queue that the event shall reach exists. False also while that cannot be found out. */
  areThere(type: string): Promise<boolean>;
  /** Asks anew: another broker may answer now. */
  forget(): void;
}

/**
 * Knows whether events would reach all their queues. `mandatory` tells only of a message that reached none: in a new installation, where one consumer has declared its
 * queue and another has not started yet, the second one would miss the event for ever.
 */
export function createRoutes(broker: Broker): Routes {
  const name = names(broker.namespace);
  const known = new Set<string>();
  return {
    async areThere(type) {
      if (known.has(type)) return true;
      for (const queue of isIntegrationEventType(type) ? queuesOf(type) : []) {
        if (!(await broker.hasQueue(name.queue(queue)))) return false;
      }
      known.add(type);
      return true;
    },
    forget: () => known.clear(),
  };
}
