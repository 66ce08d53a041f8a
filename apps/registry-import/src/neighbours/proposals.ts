import type { SentTo } from '@saleschannel/grpc';
import { toShownText } from '@saleschannel/primitives/validation';
import type { AccountHolder, PostalAddress } from '../domain/account-holder.ts';

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
