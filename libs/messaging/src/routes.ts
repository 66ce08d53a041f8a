import { isIntegrationEventType } from '@saleschannel/contracts';
import type { Broker } from './broker.ts';
import { brokerNames, queuesOf } from './topology.ts';

/**
 * Checks whether events would reach all their queues. `mandatory` only reports a message that reaches none. In a new
 * installation, a consumer that has not declared its queue yet would miss an event that another consumer's queue gets.
 */
export class Routes {
  readonly #broker: Broker;
  readonly #known = new Set<string>();

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /**
   * Returns whether every queue of the event exists and is bound. A service declares the dead letter queue last, so its
   * existence shows that. Returns false while the broker is unreachable.
   */
  async haveQueues(type: string): Promise<boolean> {
    if (this.#known.has(type)) return true;
    const name = brokerNames(this.#broker.namespace);
    for (const queue of isIntegrationEventType(type) ? queuesOf(type) : []) {
      for (const each of [name.queue(queue), name.deadLetterQueue(queue)])
        if (!(await this.#broker.hasQueue(each))) return false;
    }
    this.#known.add(type);
    return true;
  }

  /** Drops the cache, because another broker may answer now. */
  forget(): void {
    this.#known.clear();
  }
}
