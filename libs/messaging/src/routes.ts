import { isIntegrationEventType } from '@saleschannel/contracts';
import type { Broker } from './broker.ts';
import { brokerNames, queuesOf } from './topology.ts';

/**
 * Knows whether events would reach all their queues. `mandatory` only reports a message that reached none. In a new
 * installation, where one consumer has declared its queue and another has not started yet, the second one would miss
 * the event forever.
 */
export class Routes {
  readonly #broker: Broker;
  readonly #known = new Set<string>();

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /**
   * Returns whether every queue of the event exists and is bound: its dead letter queue is declared after that. False
   * while the broker is unreachable.
   */
  async exist(type: string): Promise<boolean> {
    if (this.#known.has(type)) return true;
    const name = brokerNames(this.#broker.namespace);
    for (const queue of isIntegrationEventType(type) ? queuesOf(type) : []) {
      for (const each of [name.queue(queue), name.deadLetterQueue(queue)])
        if (!(await this.#broker.hasQueue(each))) return false;
    }
    this.#known.add(type);
    return true;
  }

  /** Drops the cache: another broker may answer now. */
  forget(): void {
    this.#known.clear();
  }
}
