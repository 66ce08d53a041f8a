import type { Channel, ChannelModel } from 'amqplib';

/**
 * Closes a channel or a connection, and resolves when it is closed, by whatever. amqplib resolves when the broker has
 * answered, and never if the connection ends before: whoever waits for that waits for ever.
 */
export const goodbye = (leaving: Channel | ChannelModel): Promise<void> =>
  new Promise((resolve) => {
    leaving.once('close', () => resolve());
    leaving.close().then(resolve, () => resolve());
  });
