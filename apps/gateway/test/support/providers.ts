import { startFakeProviders, type FakeProviders } from '@saleschannel/testing';
import type { Contract, Interaction } from '@saleschannel/testing/contracts';
import { startSystem, type CallOptions, type System } from './system.ts';

/** The gateway with providers that return the minimum of its contracts. */
export interface ContractedSystem extends System {
  /** In the order of the contracts. */
  readonly providers: readonly FakeProviders[];
  /** Calls an operation and returns the body. */
  read(operation: string, options?: CallOptions): Promise<unknown>;
  /** Calls an operation and returns the status. */
  statusOf(operation: string, options?: CallOptions): Promise<number>;
}

const isOfTrail = ({ rpc }: Interaction): boolean => rpc.startsWith('auditLog.');

/** Returns the part of a contract about the audit trail. All trails are read concurrently. */
export const selectTrail = (contract: Contract): Contract => ({
  ...contract,
  interactions: contract.interactions.filter(isOfTrail),
});

/** Returns the rest of a contract. */
export const withoutTrail = (contract: Contract): Contract => ({
  ...contract,
  interactions: contract.interactions.filter((each) => !isOfTrail(each)),
});

/** Each provider has its own server, since some of their RPCs are the same. */
export async function startWithProviders(...contracts: readonly Contract[]): Promise<ContractedSystem> {
  const providers = await Promise.all(contracts.map((contract) => startFakeProviders(contract)));
  const addresses = contracts.map(({ provider }, index) => [
    `${provider.toUpperCase().replaceAll('-', '_')}_ADDRESS`,
    providers[index]?.address,
  ]);
  const system = await startSystem(Object.fromEntries(addresses) as Record<string, string>);
  return {
    ...system,
    read: async (operation, options) => JSON.parse((await system.call(operation, options)).text) as unknown,
    statusOf: async (operation, options) => (await system.call(operation, options)).status,
    providers,
    async stop() {
      await system.stop();
      const stopped = await Promise.allSettled(providers.map((provider) => provider.stop()));
      const faults = stopped.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
  };
}
