import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { ReplyOf, RequestOf } from '@saleschannel/grpc';
import { neighbour, startNeighbours as serve } from '@saleschannel/testing';

type Check = RequestOf<'selectionCheck.CheckSelections'>['checks'][number];
type SelectionFault = ReplyOf<'selectionCheck.CheckSelections'>['verdicts'][number]['faults'][number];

/** Fakes of the services that tasks calls. Tests set their answers. */
export interface Neighbours {
  readonly variables: Record<string, string>;
  /** Account holders by trader id. The id of a trader begins with the id of its channel. */
  readonly traders: Map<string, string | undefined>;
  /** Faults by certificate, for selections that start or end with it. */
  readonly faults: Map<string, { code: string; detail: string }>;
  /** Account holders that must approve. */
  readonly approving: Set<string>;
  readonly suspended: Set<string>;
  /** Lease that registry-import grants, and number of requests to it. */
  readonly holders: { leaseMs: number; questions: number };
  /** Delays the check of selections. */
  readonly checking: { before: () => Promise<void> };
  /** Stops a service. */
  stopService(name: 'traders' | 'inventory' | 'registryImport'): Promise<void>;
  stop(): Promise<void>;
}

const callers = ['tasks'];

/** Issuance of all serials in these tests. */
export const ISSUANCE = '7b0c6a52-5c1e-4f0a-9d53-2d7b1e6f0a11';
const addIssuance = ({ start, end }: { start: string; end: string }) => ({
  start: `${ISSUANCE}_${start}`,
  end: `${ISSUANCE}_${end}`,
});

const channelOf = (traderId: string): string => traderId.slice(0, traderId.indexOf('-'));

/** Holds the port of a stopped service, so that no server of another test can listen there and answer. */
async function holdPort(address: string): Promise<Server> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const server = createServer((caller) => void caller.destroy()).listen(Number(port), hostname);
  await once(server, 'listening');
  return server;
}

export async function startNeighbours(): Promise<Neighbours> {
  const traders: Neighbours['traders'] = new Map();
  const faults: Neighbours['faults'] = new Map();
  const asking: Neighbours['approving'] = new Set();
  const suspended: Neighbours['suspended'] = new Set();
  const holders: Neighbours['holders'] = { leaseMs: 0, questions: 0 };
  const checking: Neighbours['checking'] = { before: () => Promise.resolve() };
  const findFaults = (selection: { start: string; end: string }, index: number): SelectionFault[] =>
    (['start', 'end'] as const).flatMap((field) => {
      const found = faults.get(selection[field]);
      return found ? [{ index, field, ...found }] : [];
    });
  const toVerdict = ({ selections, previousGeneration }: Check) => {
    const found = selections.flatMap(findFaults);
    return { faults: found, selections: previousGeneration && found.length === 0 ? selections.map(addIssuance) : [] };
  };
  const servers = {
    traders: await serve(
      neighbour('traderDirectory', callers, {
        async GetParties({ keys }) {
          const known = keys.filter(
            ({ salesChannelId, traderId }) => traders.has(traderId) && channelOf(traderId) === salesChannelId,
          );
          return { parties: known.map((key) => ({ ...key, accountHolderId: traders.get(key.traderId) })) };
        },
      }),
    ),
    inventory: await serve(
      neighbour('selectionCheck', callers, {
        async CheckSelections({ checks }) {
          await checking.before();
          return { verdicts: checks.map(toVerdict) };
        },
      }),
    ),
    registryImport: await serve(
      neighbour('accountHolderDirectory', callers, {
        async GetAccountHolders({ accountHolderIds }) {
          holders.questions += 1;
          const known = accountHolderIds.filter((id) => id !== 'gone');
          return {
            leaseMs: holders.leaseMs,
            accountHolders: known.map((accountHolderId) => ({
              accountHolderId,
              autoApproval: !asking.has(accountHolderId),
              status: suspended.has(accountHolderId) ? 'SUSPENDED' : 'ACTIVE',
            })),
          };
        },
      }),
    ),
  };
  const running: Partial<typeof servers> = { ...servers };
  const held: Server[] = [];
  return {
    traders,
    faults,
    approving: asking,
    suspended,
    holders,
    checking,
    variables: {
      TRADERS_ADDRESS: servers.traders.address,
      INVENTORY_ADDRESS: servers.inventory.address,
      REGISTRY_IMPORT_ADDRESS: servers.registryImport.address,
    },
    async stopService(name) {
      const { address } = servers[name];
      await servers[name].stop();
      delete running[name];
      held.push(await holdPort(address));
    },
    async stop() {
      for (const server of Object.values(running)) await server.stop();
      for (const server of held) await new Promise((resolve) => server.close(resolve));
    },
  };
}
