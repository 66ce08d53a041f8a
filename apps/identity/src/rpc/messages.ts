import type { ResponseOf } from '@saleschannel/grpc';
import type { Key } from '../domain/key.ts';
import type { User } from '../domain/user.ts';
import type { CreatedKey } from '../operations/create-key.ts';

/** From what this service works with to messages. */

type KeyMessage = ResponseOf<'identity.DeleteApiKey'>;
type CreatedKeyMessage = ResponseOf<'identity.CreateApiKey'>;
type UserMessage = ResponseOf<'userDirectory.GetUser'>;

export const keyMessage = ({ id, createdAt, expiresAt }: Key): KeyMessage => ({
  id,
  createdOn: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

export const createdKeyMessage = ({ key, secret }: CreatedKey): CreatedKeyMessage => ({
  key: keyMessage(key),
  secret,
});

export const userMessage = ({ accountHolderId, ...user }: User): UserMessage =>
  accountHolderId === null ? user : { ...user, accountHolderId };
