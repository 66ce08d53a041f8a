import { startPublisher, testBrokerUrl, testNamespace, type TestPublisher } from '@saleschannel/testing';
import { withDeadLetters, type DeadLetter } from '../../src/index.ts';
import { names } from '../../src/topology.ts';
import { createStage, startOperator, type Operator, type Stage } from './stage.ts';

const QUEUE = 'tasks.outcomes';

/** Namespace of the broker, a database and what uses them, for one test alone. */
export interface Fixture {
  readonly namespace: string;
  /** The broker's name of the queue that `consume` reads. */
  readonly queue: string;
  readonly stage: Stage;
  readonly publisher: TestPublisher;
  readonly operator: Operator;
  /** Stops it when the test ends, the last one first. */
  kept<P extends { stop(): Promise<void> }>(part: P): P;
  deadLetters(): Promise<DeadLetter[]>;
  stop(): Promise<void>;
}

export async function startFixture(): Promise<Fixture> {
  const namespace = testNamespace();
  const stage = await createStage();
  const parts: { stop(): Promise<void> }[] = [];
  const kept: Fixture['kept'] = (part) => {
    parts.push(part);
    return part;
  };
  return {
    namespace,
    queue: names(namespace).queue(QUEUE),
    stage,
    publisher: kept(await startPublisher(namespace)),
    operator: kept(await startOperator()),
    kept,
    deadLetters: () => withDeadLetters(testBrokerUrl(), namespace, (letters) => letters.list(QUEUE, 100)),
    async stop() {
      for (const part of parts.splice(0).reverse()) await part.stop();
      await stage.drop();
    },
  };
}
