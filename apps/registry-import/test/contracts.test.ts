import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { ndjson, facilityOf, holderContent } from './support/records.ts';
import { startRegistryImport, type RegistryImport } from './support/registry-import.ts';

/** Codes of unknown facilities. */
let codes = 0;
const newCode = (): string => `C${String((codes += 1)).padStart(5, '0')}`;

/** Sets the states named in the contracts of consumers. */
function statesOf(registry: RegistryImport): States {
  const set = async (accountHolderId: string, status: { kind?: string; isSuspended?: true }): Promise<void> => {
    const operator = await registry.operator();
    if (status.kind !== undefined) await operator.SetKind({ accountHolderId, kind: status.kind });
    if (status.isSuspended) await operator.SuspendAccountHolder({ accountHolderId, reason: 'by order' });
    operator.close();
  };
  const withTrader = async () => {
    const [holder, channel] = [await registry.createHolder(newId()), newId()];
    return { holder, channel, trader: registry.traders.onboard(holder, channel), key: newId() };
  };
  return {
    async 'an account holder'() {
      const businessId = newId();
      const { accountHolderId: holder, name } = (await registry.create(holderContent(businessId))).accountHolder;
      return { holder, name, businessId };
    },
    'a business that is no account holder': () => Promise.resolve({ holder: newId(), newBusiness: newId() }),
    'an account holder with a trader': withTrader,
    async 'a proposal that an account holder made'() {
      const { holder, channel } = await withTrader();
      const { id: proposal } = await registry.submit({ accountHolderId: holder, salesChannelId: channel });
      return { holder, channel, proposal };
    },
    'a code of no production facility': () => Promise.resolve({ holder: newId(), code: newCode() }),
    async 'a production facility, and an id of no issuance'() {
      const code = newCode();
      await registry.putFacility(facilityOf(code));
      return { holder: await registry.createHolder(newId()), code, issuance: randomUUID() };
    },
    async 'an import of one line, which was at fault'() {
      const { importId } = await registry.importFile(ndjson({ type: 'nothing' }));
      return { holder: newId(), import: importId };
    },
    async 'an act of the registry'() {
      const holder = await registry.createHolder(newId());
      await registry.update(holder, { autoApproval: false });
      return { channel: newId() };
    },
    async 'a suspended account holder that approves by itself'() {
      const holder = await registry.createHolder(newId());
      await registry.update(holder, { autoApproval: false });
      await set(holder, { isSuspended: true });
      return { holder };
    },
    async 'an account holder that is a registry'() {
      const holder = await registry.createHolder(newId());
      await set(holder, { kind: 'REGISTRY' });
      return { holder };
    },
    async 'a suspended account holder that is a registry'() {
      const holder = await registry.createHolder(newId());
      await set(holder, { kind: 'REGISTRY', isSuspended: true });
      return { holder };
    },
    'an id of no account holder': () => Promise.resolve({ holder: newId() }),
  };
}

let registry: RegistryImport;
beforeAll(async () => {
  // The calls of the sandbox service need a sandbox.
  registry = await startRegistryImport({ SANDBOX: 'true' });
});
afterAll(() => registry.stop());

await contractTests('registry-import', () => ({ service: registry.service, states: statesOf(registry) }));
