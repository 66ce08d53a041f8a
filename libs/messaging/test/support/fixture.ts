import { afterEach } from '@jest/globals';
import { startPublisher, testBrokerUrl, testNamespace, type TestPublisher } from '@saleschannel/testing';
import { withDeadLetters, type DeadLetter } from '../../src/index.ts';
import { brokerNames } from '../../src/topology.ts';
import { createTestStore, startOperator, type Operator, type TestStore } from './messaging.ts';

const QUEUE = 'tasks.outcomes';

interface Stoppable {
  stop(): Promise<unknown>;
}

/** Stops parts in reverse order. */
function createTracker() {
  const parts: Stoppable[] = [];
  return {
    track<P extends Stoppable>(part: P): P {
      parts.push(part);
      return part;
    },
    async stop(): Promise<void> {
      for (const part of parts.splice(0).reverse()) await part.stop();
    },
  };
}

/** Returns a function that registers parts to be stopped after each test, in reverse order. */
export function stopAfterEach(): <P extends Stoppable>(part: P) => P {
  const { track, stop } = createTracker();
  afterEach(stop);
  return track;
}

/** Broker namespace, database and their users, for one test alone. */
export interface Fixture {
  readonly namespace: string;
  /** Name on the broker of the queue that `consume` reads. */
  readonly queue: string;
  readonly store: TestStore;
  readonly publisher: TestPublisher;
  readonly operator: Operator;
  /** Registers a part to be stopped at the end of the test, in reverse order. */
  track<P extends Stoppable>(part: P): P;
  deadLetters(): Promise<DeadLetter[]>;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const namespace = testNamespace();
  const store = await createTestStore();
  const { track, stop } = createTracker();
  track({ stop: () => store.drop() });
  return {
    namespace,
    queue: brokerNames(namespace).queue(QUEUE),
    store,
    publisher: track(await startPublisher(namespace)),
    operator: track(await startOperator()),
    track,
    deadLetters: () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100)),
    stop,
  };
}
