import type { SentTo } from '@saleschannel/grpc';
import { toShownText } from '@saleschannel/primitives/validation';
import type { AccountHolder, PostalAddress } from '../domain/account-holder.ts';

type Proposal = SentTo<'traderDirectory.SubmitProposal'>;

/** What a sales channel is told of an account holder that wants to be its trader. */
export const proposalOf = ({ id, name, businessId, address }: AccountHolder, salesChannelId: string): Proposal => ({
  accountHolderId: id,
  salesChannelId,
  name,
  businessId,
  address: traderAddress(address),
});

/**
 * A trader's address has one line for the street and no member for what is empty. Lines of older account holders may
 * show nothing.
 */
function traderAddress({ postalCode, city, country, street1, street2 }: PostalAddress): Proposal['address'] {
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
