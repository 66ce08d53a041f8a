import type { Context } from '../context.ts';

/** Long enough for an empty call to a busy service. */
const PROBE_TIMEOUT_MS = 3_000;

/** Probes the services that imports need with empty calls, and returns those that do not answer. Never rejects. */
export async function findSilentNeighbours({
  ledger,
  traders,
  rbac,
}: Pick<Context, 'ledger' | 'traders' | 'rbac'>): Promise<string[]> {
  const options = { timeoutMs: PROBE_TIMEOUT_MS };
  const probes = {
    inventory: ledger.ApplyFacilities({ facilities: [] }, options),
    traders: traders.FindOnboardedTraders({ keys: [] }, options),
    rbac: rbac.GetSalesChannels({ salesChannelIds: [] }, options),
  };
  const results = Object.entries(probes).map(([name, answer]) =>
    answer.then(
      () => [],
      () => [name],
    ),
  );
  return (await Promise.all(results)).flat();
}
