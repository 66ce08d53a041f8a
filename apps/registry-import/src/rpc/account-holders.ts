import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { accountHolderOf, readerOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import {
  idListToFind,
  idToFind,
  jsonText,
  operatorPage,
  parameters,
  parse,
  readPage,
  reason,
  searchText,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import {
  accountHolderContent,
  accountHolderPatch,
  kinds,
  ownPatch,
  statuses,
  type AccountHolder,
} from '../domain/account-holder.ts';
import {
  createAccountHolder as create,
  resumeAccountHolder as resume,
  setKind as set,
  suspendAccountHolder as suspend,
  updateAccountHolder as update,
  holderLease,
  waitForLeases,
} from '../operations/account-holders.ts';
import { findById, findByIds, listAccountHolders as list, searchAccountHolders } from '../store/account-holders.ts';

const toAccountHolderMessage = ({
  id,
  suspendedAt,
  suspendedReason,
  ...accountHolder
}: AccountHolder): ResponseOf<'registryImport.GetAccountHolder'> => ({
  accountHolderId: id,
  ...accountHolder,
  ...(suspendedAt === null ? {} : { suspendedAt }),
  ...(suspendedReason === null ? {} : { suspendedReason }),
});

const listAccountHoldersFilter = z.object({
  businessId: searchText.optional(),
  name: searchText.optional(),
  namePart: searchText.optional(),
});
const listAccountHoldersParameters = parameters({ businessId: 'businessId', name: 'name', namePart: 'nameContains' });

export const listAccountHolders: Rpc<'registryImport.ListAccountHolders', Context> =
  ({ reads }) =>
  async (request, call) => {
    const page = readPage(request.page);
    const filter = parse(
      listAccountHoldersFilter,
      request,
      'The account holders cannot be listed this way.',
      listAccountHoldersParameters,
    );
    const { total, next, rows } = await reads.page(readerOf(call), (em) => list(em, filter, page));
    const searched = filter.namePart !== undefined;
    return { total, next, accountHolders: rows.map(toAccountHolderMessage), searched };
  };

export const getAccountHolder: Rpc<'registryImport.GetAccountHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId }) => {
    const accountHolder = await findById(database.em(), idToFind(accountHolderId));
    if (!accountHolder) throw notFound();
    return toAccountHolderMessage(accountHolder);
  };

const getAccountHoldersRequest = z.object({ accountHolderIds: idListToFind });

export const getAccountHolders: Rpc<'accountHolderDirectory.GetAccountHolders', Context> =
  ({ database }) =>
  async (request) => {
    const { accountHolderIds } = parse(getAccountHoldersRequest, request, 'The account holders cannot be looked up.');
    const found = await findByIds(database.em(), accountHolderIds);
    return { accountHolders: found.map(toAccountHolderMessage), leaseMs: holderLease.ms };
  };

export const createAccountHolder: Rpc<'registryImport.CreateAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const content = parse(accountHolderContent, request.content, 'The account holder is not valid.');
    return answerOnce(
      'registryImport.CreateAccountHolder',
      { database, call, request: content },
      (transactional) => create(transactional, content, actorOf(call)),
      ({ accountHolder, created }) => ({ accountHolder: toAccountHolderMessage(accountHolder), created }),
    );
  };

const updateAccountHolderPatch = jsonText.pipe(accountHolderPatch);

export const updateAccountHolder: Rpc<'registryImport.UpdateAccountHolder', Context> =
  ({ database }) =>
  async ({ accountHolderId, mergePatchJson }, call) => {
    const patch = parse(updateAccountHolderPatch, mergePatchJson, 'The patch does not make an account holder.');
    return toAccountHolderMessage(await update(database, idToFind(accountHolderId), patch, actorOf(call)));
  };

export const getOwnHolder: Rpc<'holderPortal.GetOwnHolder', Context> =
  ({ database }) =>
  async (_request, call) => {
    const accountHolder = await findById(database.em(), accountHolderOf(call));
    if (!accountHolder) throw notFound();
    return toAccountHolderMessage(accountHolder);
  };

const updateOwnHolderPatch = jsonText.pipe(ownPatch);

export const updateOwnHolder: Rpc<'holderPortal.UpdateOwnHolder', Context> =
  ({ database }) =>
  async ({ mergePatchJson }, call) => {
    const patch = parse(updateOwnHolderPatch, mergePatchJson, 'The patch does not make an account holder.');
    return toAccountHolderMessage(await update(database, accountHolderOf(call), patch, actorOf(call)));
  };

export const ensureAccountHolder: Rpc<'accountHolderDirectory.EnsureAccountHolder', Context> =
  ({ database }) =>
  async (request, call) => {
    const content = parse(accountHolderContent, request.content, 'The account holder is not valid.');
    return answerOnce(
      'accountHolderDirectory.EnsureAccountHolder',
      { database, call, request: content },
      (transactional) => create(transactional, content, actorOf(call)),
      ({ accountHolder }) => toAccountHolderMessage(accountHolder),
    );
  };

const findAccountHoldersRequest = operatorPage.extend({
  businessId: searchText.optional(),
  kind: z.enum(kinds).optional(),
  status: z.enum(statuses).optional(),
  namePart: searchText.optional(),
});
const findAccountHoldersParameters = parameters({
  limit: 'limit',
  after: 'after',
  businessId: 'businessId',
  kind: 'kind',
  status: 'status',
  namePart: 'nameContains',
});

export const findAccountHolders: Rpc<'accountHolderAdministration.FindAccountHolders', Context> =
  ({ database }) =>
  async (request) => {
    const filter = parse(
      findAccountHoldersRequest,
      request,
      'The account holders cannot be listed.',
      findAccountHoldersParameters,
    );
    const found = await searchAccountHolders(database.em(), filter);
    return { accountHolders: found.map(toAccountHolderMessage), searched: filter.namePart !== undefined };
  };

const setKindRequest = z.object({ accountHolderId: z.string(), kind: z.enum(kinds) });
const setKindParameters = parameters({ kind: 'kind' });

export const setKind: Rpc<'accountHolderAdministration.SetKind', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { accountHolderId, kind } = parse(setKindRequest, request, 'The kind is not valid.', setKindParameters);
    const accountHolder = await set(database, idToFind(accountHolderId), kind, actorOf(call));
    logger.info({ accountHolderId, kind }, 'kind of an account holder set');
    return toAccountHolderMessage(accountHolder);
  };

const suspendAccountHolderRequest = z.object({ accountHolderId: z.string(), reason });
const suspendAccountHolderParameters = parameters({ reason: 'reason' });

export const suspendAccountHolder: Rpc<'accountHolderAdministration.SuspendAccountHolder', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const suspension = parse(
      suspendAccountHolderRequest,
      request,
      'The suspension is not valid.',
      suspendAccountHolderParameters,
    );
    const accountHolderId = idToFind(suspension.accountHolderId);
    const answer = await answerOnce(
      'accountHolderAdministration.SuspendAccountHolder',
      { database, call, request },
      async (transactional) => {
        const accountHolder = await suspend(transactional, accountHolderId, suspension.reason, actorOf(call));
        logger.info({ accountHolderId }, 'account holder suspended');
        return accountHolder;
      },
      toAccountHolderMessage,
    );
    await waitForLeases();
    return answer;
  };

export const resumeAccountHolder: Rpc<'accountHolderAdministration.ResumeAccountHolder', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const accountHolderId = idToFind(request.accountHolderId);
    const answer = await answerOnce(
      'accountHolderAdministration.ResumeAccountHolder',
      { database, call, request },
      async (transactional) => {
        const accountHolder = await resume(transactional, accountHolderId, actorOf(call));
        logger.info({ accountHolderId }, 'account holder resumed');
        return accountHolder;
      },
      toAccountHolderMessage,
    );
    await waitForLeases();
    return answer;
  };
