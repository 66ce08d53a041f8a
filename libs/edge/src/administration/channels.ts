/** What operators are shown of a sales channel's standing. Services tell of a closed one as SUSPENDED. */
export const channelStatuses = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

/** A sales channel with the status that operators are shown. */
export const withShownStatus = <Channel extends { readonly status: string; readonly closedAt?: string | undefined }>(
  channel: Channel,
): Channel => (channel.closedAt === undefined ? channel : { ...channel, status: 'CLOSED' });
