import type { Actor } from '@saleschannel/contracts';
import type { Call, ResponseOf } from '@saleschannel/grpc';
import type { Key } from '../domain/key.ts';
import type { Session, SessionClient } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { CreatedKey } from '../operations/create-key.ts';
import type { KeyDetail } from '../store/key-details.ts';
import type { KeyRecord } from '../store/key-records.ts';
import type { OwnSession } from '../store/sessions.ts';

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

export const userMessage = ({
  accountHolderId,
  disabledAt,
  disabledReason,
  email,
  emailVerified,
  name,
  lastSeenOn,
  ...user
}: User): UserMessage => ({
  ...user,
  ...(email === null ? {} : { email, emailVerified }),
  ...(name === null ? {} : { name }),
  ...(lastSeenOn === null ? {} : { lastSeenOn }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(disabledAt === null ? {} : { disabledAt }),
  ...(disabledReason === null ? {} : { disabledReason }),
});

export const keyDetailMessage = ({
  name,
  lastUsedOn,
  madeWithKeyId,
  ...key
}: KeyDetail): ResponseOf<'identity.NameKey'> => ({
  ...key,
  ...(name === null ? {} : { name }),
  ...(lastUsedOn === null ? {} : { lastUsedOn }),
  ...(madeWithKeyId === null ? {} : { madeWithKeyId }),
});

type KeyRecordMessage = NonNullable<ResponseOf<'identityAdministration.ListKeys'>['keys']>[number];

export const keyRecordMessage = ({ userId, accountHolderId, madeWithKeyId, ...key }: KeyRecord): KeyRecordMessage => ({
  ...key,
  ...(userId === null ? {} : { userId }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(madeWithKeyId === null ? {} : { madeWithKeyId }),
});

/** The console is known as the administration. */
export const sessionClientOf = ({ caller }: Call): SessionClient => (caller === 'portal' ? 'portal' : 'console');

/** The public request behind a call that has no principal. */
export const requestOf = ({ clientAddress, requestId }: Call): Pick<Actor, 'address' | 'requestId'> => ({
  ...(clientAddress && { address: clientAddress }),
  ...(requestId && { requestId }),
});

export const sessionMessage = ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  address,
  signedInAt,
}: Session): ResponseOf<'sessions.CheckSession'> => ({
  id,
  client,
  begunOn,
  lastUsedOn,
  expiresAt,
  signedInAt,
  ...(address === null ? {} : { address }),
});

export const ownSessionMessage = ({ isCurrent, ...session }: OwnSession) => ({
  ...sessionMessage(session),
  isCurrent,
});
