import type { Actor } from '@saleschannel/contracts';
import type { Call, ResponseOf } from '@saleschannel/grpc';
import type { Session, SessionClient } from '../domain/session.ts';
import type { User } from '../domain/user.ts';
import type { CreatedKey } from '../operations/create-key.ts';
import type { KeyDetail } from '../store/key-details.ts';
import type { KeyRecord } from '../store/keys.ts';
import type { OwnSession } from '../store/sessions.ts';

export const toCreatedKeyMessage = ({
  key: { id, createdAt, expiresAt },
  secret,
}: CreatedKey): ResponseOf<'identity.CreateApiKey'> => ({
  key: { id, createdOn: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  secret,
});

export const toUserMessage = ({
  accountHolderId,
  disabledAt,
  disabledReason,
  email,
  emailVerified,
  name,
  lastSeenOn,
  ...user
}: User): ResponseOf<'userDirectory.GetUser'> => ({
  ...user,
  ...(email === null ? {} : { email, emailVerified }),
  ...(name === null ? {} : { name }),
  ...(lastSeenOn === null ? {} : { lastSeenOn }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(disabledAt === null ? {} : { disabledAt }),
  ...(disabledReason === null ? {} : { disabledReason }),
});

export const toKeyDetailMessage = ({
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

export const toKeyRecordMessage = ({
  userId,
  accountHolderId,
  madeWithKeyId,
  ...key
}: KeyRecord): KeyRecordMessage => ({
  ...key,
  ...(userId === null ? {} : { userId }),
  ...(accountHolderId === null ? {} : { accountHolderId }),
  ...(madeWithKeyId === null ? {} : { madeWithKeyId }),
});

/** The console calls as `admin`. */
export const toSessionClient = ({ caller }: Call): SessionClient => (caller === 'portal' ? 'portal' : 'console');

/** Origin of a call without a principal. */
export const toRequestOrigin = ({ clientAddress, requestId }: Call): Pick<Actor, 'address' | 'requestId'> => ({
  ...(clientAddress && { address: clientAddress }),
  ...(requestId && { requestId }),
});

export const toSessionMessage = ({
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

export const toOwnSessionMessage = ({ isCurrent, ...session }: OwnSession) => ({
  ...toSessionMessage(session),
  isCurrent,
});
