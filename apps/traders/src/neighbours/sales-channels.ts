import { DomainError, requestRefused } from '@saleschannel/errors';
import type { Call, ServiceClient } from '@saleschannel/grpc';

/** @throws DomainError 'request-refused' for a sales channel that does not exist */
export async function requireSalesChannel(
  rbac: ServiceClient<'bindingDirectory'>,
  salesChannelId: string,
  call: Call,
): Promise<void> {
  try {
    await rbac.GetSalesChannel({ salesChannelId }, { within: call });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    throw requestRefused('There is no such sales channel.', [
      { pointer: '#/salesChannelId', detail: 'names no sales channel', code: 'unknown-sales-channel' },
    ]);
  }
}
