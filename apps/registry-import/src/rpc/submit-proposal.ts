import type { Rpc, SentTo } from '@saleschannel/grpc';
import { id, parse } from '@saleschannel/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { PostalAddress } from '../domain/account-holder.ts';
import { ACCOUNT_HOLDER_SUSPENDED, refusedFor, UNKNOWN_ACCOUNT_HOLDER } from '../domain/refusals.ts';
import { findById } from '../store/account-holders.ts';

const requestSchema = z.object({ accountHolderId: id, salesChannelId: id });

export const submitProposal: Rpc<'registryImport.SubmitProposal', Context> =
  ({ database, traders }) =>
  async (request, call) => {
    const { accountHolderId, salesChannelId } = parse(requestSchema, request, 'The proposal is not valid.');
    const accountHolder = await findById(database.em(), accountHolderId);
    if (!accountHolder) throw refusedFor(UNKNOWN_ACCOUNT_HOLDER);
    if (accountHolder.status === 'SUSPENDED') throw refusedFor(ACCOUNT_HOLDER_SUSPENDED);
    const { name, businessId, address } = accountHolder;
    return traders.SubmitProposal(
      { accountHolderId, salesChannelId, name, businessId, address: traderAddress(address) },
      { within: call, forPrincipal: true },
    );
  };

type TraderAddress = SentTo<'traderDirectory.SubmitProposal'>['address'];

/** A trader's address has one line for the street and no member for what is empty. */
function traderAddress({ postalCode, city, country, street1, street2 }: PostalAddress): TraderAddress {
  const street = [street1, street2].filter(Boolean).join(', ');
  const members = { zipCode: postalCode, city, countryName: country, street };
  return Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''));
}
