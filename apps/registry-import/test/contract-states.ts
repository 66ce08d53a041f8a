import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import type { RegistryImport } from './support/registry-import.ts';

/** The states that consumers of registry-import name in their contracts. */
export const statesOf = (registry: RegistryImport): States => ({
  async 'an account holder'() {
    return { holder: await registry.createHolder(newId()) };
  },
  async 'a suspended account holder that approves by itself'() {
    const holder = await registry.createHolder(newId());
    await registry.update(holder, { autoApproval: false });
    const operator = await registry.operator();
    await operator.SuspendAccountHolder({ accountHolderId: holder, reason: 'by order' });
    operator.close();
    return { holder };
  },
  'an id of no account holder': () => Promise.resolve({ holder: newId() }),
});
