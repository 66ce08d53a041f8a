import type { CreatedKey } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { Key } from '@saleschannel/contracts/gen/identity/v1/Key';
import type { User } from '@saleschannel/contracts/gen/identity/v1/User';
import type { NewKey } from '../operations/create-key.ts';
import type { ListedKey } from '../store/keys.ts';
import type { UserRow } from '../store/users.ts';

/** The one place where rows become messages. */

export const keyMessage = (key: ListedKey): Key => ({
  id: key.id,
  createdOn: key.createdAt.toISOString(),
  expiresAt: key.expiresAt.toISOString(),
});

export const createdKeyMessage = (key: NewKey): CreatedKey => ({ key: keyMessage(key), secret: key.secret });

export const userMessage = ({ id, issuer, subject, accountHolderId }: UserRow): User => ({
  id,
  issuer,
  subject,
  ...(accountHolderId === null ? {} : { accountHolderId }),
});
