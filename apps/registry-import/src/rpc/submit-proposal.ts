import type { Proposal } from '@saleschannel/contracts/gen/registry_import/v1/Proposal';
import type { SubmitProposalRequest__Output } from '@saleschannel/contracts/gen/registry_import/v1/SubmitProposalRequest';
import type { Address } from '@saleschannel/contracts/gen/traders/v1/Address';
import { invalidRequest, requestRefused } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import type { PostalAddress } from '../domain/account-holder.ts';
import { faultsOf, ID_LENGTH_AT_MOST, type Fields } from '../domain/fields.ts';
import { UNKNOWN_ACCOUNT_HOLDER } from '../operations/prepare-issuances.ts';
import { findByIds } from '../store/account-holders.ts';

const id = { kind: 'text', min: 1, max: ID_LENGTH_AT_MOST, required: true } as const;
const fields = { accountHolderId: id, salesChannelId: id } satisfies Fields;

export const submitProposal =
  ({ database, traders }: Context) =>
  async ({ accountHolderId, salesChannelId }: SubmitProposalRequest__Output, call: Call): Promise<Proposal> => {
    const faults = faultsOf({ accountHolderId, salesChannelId }, fields);
    if (faults.length > 0) throw invalidRequest('The proposal is not valid.', faults);
    const [holder] = await findByIds(database.em(), [accountHolderId]);
    if (!holder) throw requestRefused(UNKNOWN_ACCOUNT_HOLDER.detail, [UNKNOWN_ACCOUNT_HOLDER]);
    const { name, businessId, address } = holder;
    return traders.SubmitProposal(
      { accountHolderId, salesChannelId, name, businessId, address: traderAddress(address) },
      { within: call },
    );
  };

/** A trader's address has one line for the street and no member for what is empty. */
function traderAddress({ postalCode, city, country, street1, street2 }: PostalAddress): Address {
  const street = [street1, street2].filter(Boolean).join(', ');
  const lines = { zipCode: postalCode, city, countryName: country, street };
  return Object.fromEntries(Object.entries(lines).filter(([, text]) => text !== ''));
}
