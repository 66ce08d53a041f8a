import type { AccountHolder as AccountHolderMessage } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import type { AccountHolderFields__Output } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolderFields';
import type { Import as ImportMessage } from '@saleschannel/contracts/gen/registry_import/v1/Import';
import { readAccountHolder, type AccountHolder, type AccountHolderContent } from '../domain/account-holder.ts';
import type { ImportProgress } from '../store/imports.ts';

/** The one mapper between messages and what this service works with. */

export function accountHolderMessage({
  id,
  name,
  businessId,
  address,
  autoApproval,
  registeredOn,
}: AccountHolder): AccountHolderMessage {
  const { street2, ...lines } = address;
  return {
    accountHolderId: id,
    name,
    businessId,
    address: street2 === null ? lines : { ...lines, street2 },
    autoApproval,
    registeredOn,
  };
}

/** @throws DomainError `invalid-request` with a pointer to each fault */
export const accountHolderContent = ({
  name,
  businessId,
  address,
  autoApproval,
}: AccountHolderFields__Output): AccountHolderContent =>
  readAccountHolder({ name, businessId, address: address && postalAddress(address), autoApproval });

/** Without the members that the message loader adds for optional fields. */
const postalAddress = ({
  postalCode,
  city,
  country,
  street1,
  street2,
}: NonNullable<AccountHolderFields__Output['address']>) => ({
  postalCode,
  city,
  country,
  street1,
  street2,
});

export const importMessage = ({ completedAt, ...progress }: ImportProgress): ImportMessage =>
  completedAt === null ? progress : { ...progress, completedAt };

/** A date-time as every API of the system shows it; what is none stays as it is. */
export function isoText(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
