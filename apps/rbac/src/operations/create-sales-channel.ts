import { INSTALLATION_SCOPE, recordAudit } from '@saleschannel/audit';
import type { Actor } from '@saleschannel/contracts';
import type { Database } from '@saleschannel/database';
import type { NamedSalesChannel } from '../domain/sales-channel.ts';
import { addSalesChannel } from '../store/sales-channels.ts';
import { refuseTakenName } from './rename-sales-channel.ts';

/**
 * Makes a sales channel. The trail of the channel begins with it.
 * @throws DomainError 'request-refused' for the name of another channel
 */
export const createSalesChannel = (database: Database, channel: NamedSalesChannel, actor: Actor): Promise<void> =>
  database.transaction(async (em) => {
    await refuseTakenName(em, channel);
    addSalesChannel(em, channel);
    const { id, name } = channel;
    const act = { action: 'rbac.sales-channel.created', subject: { type: 'sales-channel', id } } as const;
    await recordAudit(em, [{ ...act, scopes: [INSTALLATION_SCOPE, id], actor, after: { name } }]);
  });
