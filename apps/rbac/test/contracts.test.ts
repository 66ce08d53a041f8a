import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startRbac, asAdministrator, type Rbac } from './support/rbac.ts';

/** Sets the states named in the contracts of consumers. */
function statesOf(rbac: Rbac): States {
  const suspend = async (salesChannelId: string): Promise<void> =>
    void (await rbac.admin.SuspendSalesChannel({ salesChannelId, reason: 'by order' }));
  const changed = async () => {
    const channel = await rbac.newChannel();
    await rbac.member(channel, 'ASSET_VIEWER');
    return { channel };
  };
  return {
    'an act on a sales channel': changed,
    'a sales channel on which something was changed': changed,
    async 'a sales channel'() {
      const { id: channel, name } = await rbac.admin.CreateSalesChannel({ name: `Nordic Removals ${newId()}` });
      return { channel, name, newName: `Arctic Removals ${newId()}` };
    },
    async 'a suspended sales channel'() {
      const channel = await rbac.newChannel();
      await suspend(channel);
      return { channel };
    },
    async 'a sales channel that was suspended long ago'() {
      const channel = await rbac.newChannel();
      await rbac.suspendLongAgo(channel);
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
    async 'a user who may see assets of a channel, and one who is bound to none'() {
      const channel = await rbac.newChannel();
      const administrator = await rbac.member(channel, 'ROLE_ADMINISTRATOR');
      return { channel, administrator, user: await rbac.member(channel, 'ASSET_VIEWER'), stranger: rbac.newUser() };
    },
    async 'a channel with an invitation, and somebody who has its token'() {
      const channel = await rbac.newChannel();
      const request = { roles: ['EVENT_VIEWER'] };
      const administrator = await rbac.member(channel, 'ROLE_ADMINISTRATOR');
      const as = await asAdministrator(channel, administrator);
      const { invitation, token } = await rbac.gateway.CreateInvitation(request, as);
      if (!invitation) throw new Error('The response has no invitation.');
      return { channel, administrator, invitation: invitation.id, token, user: rbac.newUser() };
    },
    'a user of no channel, and an id of none': () => Promise.resolve({ user: rbac.newUser(), nothing: newId() }),
    'a user of no channel': () => Promise.resolve({ user: rbac.newUser() }),
  };
}

let rbac: Rbac;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  rbac = await startRbac({ SANDBOX: 'true' });
});
afterAll(() => rbac.stop());

await contractTests('rbac', () => ({ service: rbac.service, states: statesOf(rbac) }));
