import type { ResponseOf } from '@saleschannel/grpc';
import type { SalesChannel } from '../domain/sales-channel.ts';

/** From what this service works with to messages. */

export const salesChannelMessage = ({
  suspendedAt,
  suspendedReason,
  ...channel
}: SalesChannel): ResponseOf<'bindingDirectory.GetSalesChannel'> => ({
  ...channel,
  ...(suspendedAt === null ? {} : { suspendedAt }),
  ...(suspendedReason === null ? {} : { suspendedReason }),
});
