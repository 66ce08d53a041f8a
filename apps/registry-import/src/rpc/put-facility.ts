import { actorOf } from '@saleschannel/audit';
import { invalidRequest } from '@saleschannel/errors';
import type { Rpc } from '@saleschannel/grpc';
import { faults } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { isNew } from '../neighbours/ledger-answers.ts';

/** The ledger checks what the facility says. The answer shows what it stored, with the ids. */
export const putFacility: Rpc<'registryImport.PutFacility', Context> =
  ({ ledger }) =>
  async ({ facility }, call) => {
    if (!facility) throw invalidRequest('The facility is missing.', [{ pointer: '#', ...faults.required() }]);
    const created = isNew(
      await ledger.ApplyFacilities({ facilities: [facility], actor: actorOf(call) }, { within: call }),
    );
    const stored = await ledger.GetFacility({ code: facility.code }, { within: call, forPrincipal: true });
    return { facility: stored, created };
  };
