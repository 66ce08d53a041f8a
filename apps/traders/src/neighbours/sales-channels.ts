import { DomainError, requestRefused } from '@saleschannel/errors';
import type { Call, ServiceClient } from '@saleschannel/grpc';

/** @throws DomainError 'request-refused' for a sales channel that does not exist or is suspended */
export async function requireSalesChannel(
  rbac: ServiceClient<'bindingDirectory'>,
  salesChannelId: string,
  call: Call,
): Promise<void> {
  if (await isSuspended(rbac, salesChannelId, call))
    throw requestRefused('The sales channel is suspended.', [
      { pointer: '#/salesChannelId', detail: 'names a suspended sales channel', code: 'sales-channel-suspended' },
    ]);
}

async function isSuspended(
  rbac: ServiceClient<'bindingDirectory'>,
  salesChannelId: string,
  call: Call,
): Promise<boolean> {
  try {
    const { status } = await rbac.GetSalesChannel({ salesChannelId }, { within: call });
    return status === 'SUSPENDED';
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not-found') throw error;
    throw requestRefused('The sales channel does not exist.', [
      { pointer: '#/salesChannelId', detail: 'names no sales channel', code: 'unknown-sales-channel' },
    ]);
  }
}
