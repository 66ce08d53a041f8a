import type { Issuance } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { CreateIssuanceResponse } from '@saleschannel/contracts/gen/registry_import/v1/CreateIssuanceResponse';
import type { IssuanceFields__Output } from '@saleschannel/contracts/gen/registry_import/v1/IssuanceFields';
import { invalidRequest, requestRefused } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { onlyResult, refusalOf } from '../domain/ledger-verdict.ts';
import { prepareIssuances, type IssuanceOrder } from '../operations/prepare-issuances.ts';
import { isoText } from './messages.ts';

export const createIssuance =
  (context: Context) =>
  async (request: IssuanceFields__Output, call: Call): Promise<CreateIssuanceResponse> => {
    const [prepared] = await prepareIssuances(context, [orderOf(request)], { within: call });
    if (!prepared || 'fault' in prepared)
      throw requestRefused(prepared?.fault.detail ?? '', prepared ? [prepared.fault] : []);
    const result = onlyResult(
      await context.ledger.ApplyIssuances({ issuances: [prepared.issuance] }, { within: call }),
    );
    const refusal = refusalOf(result);
    if (refusal) throw refusal;
    return { issuance: shown(prepared.issuance), created: result.outcome === 'CREATED' };
  };

function orderOf({ issuance, accountHolderBusinessId }: IssuanceFields__Output): IssuanceOrder {
  if (!issuance)
    throw invalidRequest('The issuance is missing.', [{ pointer: '#', code: 'required', detail: 'It is required.' }]);
  const isNamedById = issuance.accountHolderId !== '';
  if (isNamedById === (accountHolderBusinessId !== undefined)) {
    const detail = 'The account holder is named by its id or by its business id.';
    throw invalidRequest(detail, [
      { pointer: '#/accountHolderId', code: isNamedById ? 'exclusive' : 'required', detail },
    ]);
  }
  return { issuance, accountHolderBusinessId };
}

const shown = (issuance: Issuance): Issuance => ({
  ...issuance,
  productionStartDate: isoText(issuance.productionStartDate ?? ''),
  productionEndDate: isoText(issuance.productionEndDate ?? ''),
  issuingDate: isoText(issuance.issuingDate ?? ''),
  ...(issuance.expirationDate === undefined ? {} : { expirationDate: isoText(issuance.expirationDate) }),
});
