import { setTimeout as delay } from 'node:timers/promises';
import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { Logger } from '@saleschannel/runtime';
import { RETRY_MS } from './attempt.ts';
import { publishConfirmed } from './confirmed.ts';
import { DEAD_LETTER_REASON } from './topology.ts';

const REASON_CHARACTERS_AT_MOST = 500;

interface Letter {
  /** The name of the queue on the broker that the message came from. */
  readonly queue: string;
  readonly content: Buffer;
  readonly type: string;
  readonly reason: string;
  /** The message that it is a part of. */
  readonly inPlaceOf: ConsumeMessage;
}

interface WriterOptions {
  readonly logger: Logger;
  isOpen(): boolean;
  mayWait(): boolean;
}

/** Puts a message among the dead letters. Returns false when it has to give up before the broker has it. */
export async function putDeadLetter(
  channel: ConfirmChannel,
  exchange: string,
  { queue, content, type, reason, inPlaceOf }: Letter,
  { logger, isOpen, mayWait }: WriterOptions,
): Promise<boolean> {
  const headers = { [DEAD_LETTER_REASON]: reason.slice(0, REASON_CHARACTERS_AT_MOST) };
  while (isOpen()) {
    try {
      await publishConfirmed(channel, { exchange, routingKey: queue }, content, { type, headers, inPlaceOf });
      return true;
    } catch (error) {
      logger.error({ err: error, queue }, 'a message cannot be put among the dead letters');
      if (!mayWait()) return false;
      await delay(RETRY_MS);
    }
  }
  return false;
}
