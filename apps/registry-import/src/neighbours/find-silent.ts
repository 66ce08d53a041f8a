import type { Context } from '../context.ts';

/** A call that asks for nothing takes no longer, even of a neighbour that is busy. */
const PROBE_TIMEOUT_MS = 3_000;

/** Those of the neighbours of an import that do not answer this replica. Asks each for nothing. Never rejects. */
export async function findSilentNeighbours({
  ledger,
  traders,
  rbac,
}: Pick<Context, 'ledger' | 'traders' | 'rbac'>): Promise<string[]> {
  const options = { timeoutMs: PROBE_TIMEOUT_MS };
  const questions = {
    inventory: ledger.ApplyFacilities({ facilities: [] }, options),
    traders: traders.FindOnboardedTraders({ keys: [] }, options),
    rbac: rbac.GetSalesChannels({ salesChannelIds: [] }, options),
  };
  const asked = Object.entries(questions).map(([name, answer]) =>
    answer.then(
      () => [],
      () => [name],
    ),
  );
  return (await Promise.all(asked)).flat();
}
