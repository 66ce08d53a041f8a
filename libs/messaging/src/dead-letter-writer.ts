import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger } from '@saleschannel/runtime';
import { RETRY_MS } from './attempt.ts';
import { publishConfirmed } from './confirmed.ts';
import { DEAD_LETTER_REASON } from './topology.ts';

const MAX_REASON_CHARACTERS = 500;

interface Letter {
  /** The queue's name on the broker. */
  readonly queue: string;
  readonly content: Buffer;
  readonly type: string;
  readonly reason: string;
  /** The delivered message that contains it. */
  readonly inPlaceOf: ConsumeMessage;
}

interface WriterOptions {
  readonly logger: Logger;
  isOpen(): boolean;
  mayWait(): boolean;
}

/**
 * Publishes a dead letter, with retries. Returns false if the channel closes or the consumer ends before the broker
 * confirms it.
 */
export async function putDeadLetter(
  channel: ConfirmChannel,
  exchange: string,
  { queue, content, type, reason, inPlaceOf }: Letter,
  { logger, isOpen, mayWait }: WriterOptions,
): Promise<boolean> {
  const headers = { [DEAD_LETTER_REASON]: reason.slice(0, MAX_REASON_CHARACTERS) };
  while (isOpen()) {
    try {
      await publishConfirmed(channel, { exchange, routingKey: queue }, content, { type, headers, replaces: inPlaceOf });
      return true;
    } catch (error) {
      logger.error({ err: error, queue }, 'cannot publish a dead letter');
      if (!mayWait()) return false;
      await delay(RETRY_MS);
    }
  }
  return false;
}
