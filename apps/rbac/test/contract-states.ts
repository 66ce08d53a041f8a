import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import type { Rbac } from './support/rbac.ts';

/** The states that consumers of rbac name in their contracts. */
export function statesOf(rbac: Rbac): States {
  const suspend = async (salesChannelId: string): Promise<void> =>
    void (await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' }));
  return {
    async 'a sales channel'() {
      const { id: channel, name } = await rbac.admin.CreateSalesChannel({ name: 'Nordic Removals' });
      return { channel, name };
    },
    async 'a suspended sales channel'() {
      const channel = await rbac.newChannel();
      await suspend(channel);
      return { channel };
    },
    async 'a sales channel, a suspended one, and an id of none'() {
      const suspended = await rbac.newChannel();
      await suspend(suspended);
      return { channel: await rbac.newChannel(), suspended, nothing: newId() };
    },
    'an id of no sales channel': () => Promise.resolve({ channel: newId() }),
    async 'a user who may see assets and events of a channel'() {
      const channel = await rbac.newChannel();
      return { channel, user: await rbac.member(channel, 'ASSET_VIEWER', 'EVENT_VIEWER') };
    },
    async 'a user of a suspended channel'() {
      const channel = await rbac.newChannel();
      const user = await rbac.member(channel, 'ASSET_VIEWER');
      await suspend(channel);
      return { channel, user };
    },
    'a user of no channel': () => Promise.resolve({ user: rbac.newUser() }),
  };
}
