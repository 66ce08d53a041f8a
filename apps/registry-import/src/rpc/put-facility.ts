import type { RegistryFacility__Output } from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
import type { PutFacilityResponse } from '@saleschannel/contracts/gen/registry_import/v1/PutFacilityResponse';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { onlyResult, refusalOf } from '../domain/ledger-verdict.ts';

/** The ledger checks what the facility says; the answer shows what it stored, with the ids. */
export const putFacility =
  ({ ledger }: Context) =>
  async (request: RegistryFacility__Output, call: Call): Promise<PutFacilityResponse> => {
    const result = onlyResult(await ledger.ApplyFacilities({ facilities: [request] }, { within: call }));
    const refusal = refusalOf(result);
    if (refusal) throw refusal;
    return {
      facility: await ledger.GetFacility({ code: request.code }, { within: call }),
      created: result.outcome === 'CREATED',
    };
  };
