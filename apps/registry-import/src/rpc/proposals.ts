import { notFound } from '@saleschannel/errors';
import { accountHolderOf, type Rpc, type SentTo } from '@saleschannel/grpc';
import { id, parse, toShownText } from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { AccountHolder, PostalAddress } from '../domain/account-holder.ts';
import {
  ACCOUNT_HOLDER_SUSPENDED,
  OWN_HOLDER_SUSPENDED,
  toRefusal,
  UNKNOWN_ACCOUNT_HOLDER,
} from '../domain/refusals.ts';
import { findById } from '../store/account-holders.ts';

type Proposal = SentTo<'traderDirectory.SubmitProposal'>;

/** Converts an account holder to its proposal to a sales channel. */
export const toProposal = ({ id, name, businessId, address }: AccountHolder, salesChannelId: string): Proposal => ({
  accountHolderId: id,
  salesChannelId,
  name,
  businessId,
  address: toTraderAddress(address),
});

/** A trader's address has one street line and no empty members. Lines stored by older releases may be invisible. */
function toTraderAddress({ postalCode, city, country, street1, street2 }: PostalAddress): Proposal['address'] {
  const streets = street2 === undefined ? [street1] : [street1, street2];
  const street = streets.map(toShownText).filter(Boolean).join(', ');
  const members = {
    zipCode: toShownText(postalCode),
    city: toShownText(city),
    countryName: toShownText(country),
    street,
  };
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''));
}

const submitProposalRequest = z.object({ accountHolderId: id, salesChannelId: id });

export const submitProposal: Rpc<'registryImport.SubmitProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { accountHolderId, salesChannelId } = parse(submitProposalRequest, request, 'The proposal is not valid.');
    const accountHolder = await findById(database.em(), accountHolderId);
    if (!accountHolder) throw toRefusal(UNKNOWN_ACCOUNT_HOLDER);
    if (accountHolder.status === 'SUSPENDED') throw toRefusal(ACCOUNT_HOLDER_SUSPENDED);
    return traders.SubmitProposal(toProposal(accountHolder, salesChannelId), { within: call, forPrincipal: true });
  };

const submitHolderProposalRequest = z.object({ salesChannelId: id });

export const submitHolderProposal: Rpc<'holderPortal.SubmitHolderProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { salesChannelId } = parse(submitHolderProposalRequest, request, 'The proposal is not valid.');
    const holder = await findById(database.em(), accountHolderOf(call));
    if (!holder) throw notFound();
    if (holder.status === 'SUSPENDED') throw toRefusal(OWN_HOLDER_SUSPENDED);
    return traders.SubmitHolderProposal(toProposal(holder, salesChannelId), { within: call, forPrincipal: true });
  };

export const listSubmittedProposals: Rpc<'registryImport.ListSubmittedProposals', Context> =
  ({ traders }) =>
  (request, call) =>
    traders.PageSubmittedProposals(request, { within: call, forPrincipal: true });

export const getSubmittedProposal: Rpc<'registryImport.GetSubmittedProposal', Context> =
  ({ traders }) =>
  ({ proposalId }, call) =>
    traders.FindSubmittedProposal({ proposalId }, { within: call, forPrincipal: true });
