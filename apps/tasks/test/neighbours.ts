import { createTokenVerifier, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import { createGrpcServer, implement, type GrpcServer, type Registration } from '@saleschannel/grpc';
import { silentLogger } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';
import type { SelectionFault } from '@saleschannel/contracts/gen/inventory/v1/SelectionFault';

/** The services that tasks asks, as far as it asks them. What they answer is for the tests to say. */
export interface Neighbours {
  readonly variables: Record<string, string>;
  /** Trader id → the account holder behind it, if there is one. A trader belongs to the channel that its id begins with. */
  readonly traders: Map<string, string | undefined>;
  /** Certificates that no selection may start or end with, and what to say then. */
  readonly faults: Map<string, { code: string; detail: string }>;
  /** Account holders that want to approve. */
  readonly asking: Set<string>;
  /** Takes a service away. */
  take(name: 'traders' | 'inventory' | 'registryImport'): Promise<void>;
  stop(): Promise<void>;
}

const callers = ['tasks'];
const unused = {
  callers: [],
  access: serviceOnly,
  handler: () => Promise.reject(new Error('not asked in these tests')),
} as never;

async function serve(registration: Registration): Promise<GrpcServer> {
  const tokens = createTokenVerifier(JSON.parse(identityVariables('traders')['SERVICE_PUBLIC_KEYS'] ?? ''));
  const server = createGrpcServer({
    host: '127.0.0.1',
    port: 0,
    tokens,
    logger: silentLogger,
    services: [registration],
  });
  await server.start();
  return server;
}

const channelOf = (traderId: string): string => traderId.slice(0, traderId.indexOf('-'));

export async function startNeighbours(): Promise<Neighbours> {
  const traders: Neighbours['traders'] = new Map();
  const faults: Neighbours['faults'] = new Map();
  const asking: Neighbours['asking'] = new Set();
  const faultsOf = ({ start, end }: { start: string; end: string }, index: number): SelectionFault[] =>
    (['start', 'end'] as const).flatMap((field) => {
      const found = faults.get(field === 'start' ? start : end);
      return found ? [{ index, field, ...found }] : [];
    });
  const servers = {
    traders: await serve(
      implement(services.traderDirectory, {
        FindOnboardedTraders: unused,
        SubmitProposal: unused,
        GetParties: {
          callers,
          access: serviceOnly,
          handler: async ({ keys }) => ({
            parties: keys
              .filter(({ salesChannelId, traderId }) => traders.has(traderId) && channelOf(traderId) === salesChannelId)
              .map((key) => ({ ...key, accountHolderId: traders.get(key.traderId) })),
          }),
        },
      }),
    ),
    inventory: await serve(
      implement(services.selectionChecks, {
        CheckSelections: {
          callers,
          access: serviceOnly,
          handler: async ({ checks }) => ({
            verdicts: checks.map(({ selections }) => ({ faults: selections.flatMap(faultsOf) })),
          }),
        },
      }),
    ),
    registryImport: await serve(
      implement(services.accountHolderDirectory, {
        EnsureAccountHolder: unused,
        GetAccountHolders: {
          callers,
          access: serviceOnly,
          handler: async ({ accountHolderIds }) => ({
            accountHolders: accountHolderIds
              .filter((id) => id !== 'gone')
              .map((accountHolderId) => ({ accountHolderId, autoApproval: !asking.has(accountHolderId) })),
          }),
        },
      }),
    ),
  };
  const running: Partial<typeof servers> = { ...servers };
  return {
    traders,
    faults,
    asking,
    variables: {
      TRADERS_ADDRESS: servers.traders.address,
      INVENTORY_ADDRESS: servers.inventory.address,
      REGISTRY_IMPORT_ADDRESS: servers.registryImport.address,
    },
    async take(name) {
      await servers[name].stop();
      delete running[name];
    },
    async stop() {
      for (const server of Object.values(running)) await server.stop();
    },
  };
}
