import type { Duplex } from 'node:stream';
import type { Channel, ChannelModel } from 'amqplib';

/** A broker that does not answer for so long loses the connection, and gives back what was delivered on it. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * Closes a channel or a connection, and resolves when it is closed, by whatever. amqplib resolves when the broker has
 * answered, and never if the connection ends before: a caller that waits for that waits for ever. Where the broker does
 * not answer in time, the whole connection is cut.
 */
export const goodbye = (leaving: Channel | ChannelModel): Promise<void> =>
  new Promise((resolve) => {
    const { stream } = leaving.connection as unknown as { readonly stream: Duplex };
    const cut = setTimeout(
      () => stream.destroy(new Error('RabbitMQ did not answer in time')),
      ANSWER_WITHIN_MS,
    ).unref();
    const closed = (): void => {
      clearTimeout(cut);
      resolve();
    };
    leaving.once('close', closed);
    leaving.close().then(closed, closed);
  });
