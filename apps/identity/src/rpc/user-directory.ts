import type { CreatedKey } from '@saleschannel/contracts/gen/identity/v1/CreatedKey';
import type { EnsureUserRequest__Output } from '@saleschannel/contracts/gen/identity/v1/EnsureUserRequest';
import type { GetUserRequest__Output } from '@saleschannel/contracts/gen/identity/v1/GetUserRequest';
import type { IssueApiKeyRequest__Output } from '@saleschannel/contracts/gen/identity/v1/IssueApiKeyRequest';
import type { IssueRegistryKeyRequest__Output } from '@saleschannel/contracts/gen/identity/v1/IssueRegistryKeyRequest';
import type { SetAccountHolderRequest__Output } from '@saleschannel/contracts/gen/identity/v1/SetAccountHolderRequest';
import type { User } from '@saleschannel/contracts/gen/identity/v1/User';
import { invalidRequest, notFound, type DomainError } from '@saleschannel/errors';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { isAccountHolderId, isIssuer, isSubject } from '../domain/texts.ts';
import { createApiKey, createRegistryKey } from '../operations/create-key.ts';
import { ensureUser as ensure, findUser, updateAccountHolder, type UserRow } from '../store/users.ts';
import { createdKeyMessage, userMessage } from './messages.ts';

const malformed = (parameter: string): DomainError =>
  invalidRequest(`The ${parameter} is not valid.`, [
    { parameter, detail: 'is empty, too long or holds control characters', code: 'text-form' },
  ]);

const found = (user: UserRow | undefined): User => {
  if (!user) throw notFound();
  return userMessage(user);
};

export const ensureUser =
  (context: Context) =>
  async ({ issuer, subject }: EnsureUserRequest__Output): Promise<User> => {
    if (!isIssuer(issuer)) throw malformed('issuer');
    if (!isSubject(subject)) throw malformed('subject');
    return userMessage(await ensure(context.database, issuer, subject));
  };

export const getUser =
  (context: Context) =>
  async ({ userId }: GetUserRequest__Output): Promise<User> =>
    found(isId(userId) ? await findUser(context.database.em(), userId) : undefined);

/** An empty account holder id takes the user out of his account holder. */
export const setAccountHolder =
  (context: Context) =>
  async ({ userId, accountHolderId }: SetAccountHolderRequest__Output): Promise<User> => {
    if (accountHolderId !== '' && !isAccountHolderId(accountHolderId)) throw malformed('accountHolderId');
    return found(
      isId(userId) ? await updateAccountHolder(context.database.em(), userId, accountHolderId || null) : undefined,
    );
  };

export const issueApiKey =
  (context: Context) =>
  async ({ userId }: IssueApiKeyRequest__Output): Promise<CreatedKey> => {
    if (!isId(userId)) throw notFound();
    return createdKeyMessage(await createApiKey(context, userId));
  };

export const issueRegistryKey =
  (context: Context) =>
  async ({ accountHolderId, expiresAt }: IssueRegistryKeyRequest__Output): Promise<CreatedKey> => {
    if (!isAccountHolderId(accountHolderId)) throw malformed('accountHolderId');
    return createdKeyMessage(await createRegistryKey(context, { accountHolderId, createdBy: null }, expiresAt));
  };
