import { newId } from '@saleschannel/primitives';
import type { States } from '@saleschannel/testing/contract-tests';
import { holderContent } from './records.ts';
import type { RegistryImport } from './registry-import.ts';

/** The states that consumers of registry-import name in their contracts. */
export function statesOf(registry: RegistryImport): States {
  const standing = async (accountHolderId: string, be: { kind?: string; isSuspended?: true }): Promise<void> => {
    const operator = await registry.operator();
    if (be.kind !== undefined) await operator.SetKind({ accountHolderId, kind: be.kind });
    if (be.isSuspended) await operator.SuspendAccountHolder({ accountHolderId, reason: 'by order' });
    operator.close();
  };
  return {
    async 'an account holder'() {
      const businessId = newId();
      const { accountHolderId: holder, name } = (await registry.create(holderContent(businessId))).accountHolder;
      return { holder, name };
    },
    async 'a suspended account holder that approves by itself'() {
      const holder = await registry.createHolder(newId());
      await registry.update(holder, { autoApproval: false });
      await standing(holder, { isSuspended: true });
      return { holder };
    },
    async 'an account holder that is a registry'() {
      const holder = await registry.createHolder(newId());
      await standing(holder, { kind: 'REGISTRY' });
      return { holder };
    },
    async 'a suspended account holder that is a registry'() {
      const holder = await registry.createHolder(newId());
      await standing(holder, { kind: 'REGISTRY', isSuspended: true });
      return { holder };
    },
    'an id of no account holder': () => Promise.resolve({ holder: newId() }),
  };
}
