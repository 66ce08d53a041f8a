import { actorOf } from '@saleschannel/audit';
import { forbidden, notFound } from '@saleschannel/errors';
import { salesChannelOf, userOf, type ResponseOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { newId } from '@saleschannel/primitives';
import {
  idListToFind,
  idToFind,
  parameters,
  parse,
  readChannelPage,
  searchText,
} from '@saleschannel/primitives/validation';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { newSalesChannel, renameRequest, suspensionRequest, type SalesChannel } from '../domain/sales-channel.ts';
import { refuseUsed } from '../neighbours/channel-use.ts';
import { closeSalesChannel as close, replaceSalesChannel as replace } from '../operations/end-sales-channel.ts';
import {
  createSalesChannel as create,
  renameSalesChannel as rename,
  resumeSalesChannel as resume,
  suspendSalesChannel as suspend,
} from '../operations/sales-channels.ts';
import {
  findSalesChannel,
  findSalesChannels,
  listSalesChannels as list,
  listOpenSalesChannels,
} from '../store/sales-channels.ts';

export const toSalesChannelMessage = ({
  suspendedAt,
  suspendedReason,
  closedAt,
  closedReason,
  ...channel
}: SalesChannel): ResponseOf<'bindingDirectory.GetSalesChannel'> => ({
  ...channel,
  ...(suspendedAt === null ? {} : { suspendedAt }),
  ...(suspendedReason === null ? {} : { suspendedReason }),
  ...(closedAt === null ? {} : { closedAt }),
  ...(closedReason === null ? {} : { closedReason }),
});

export const getSalesChannel: Rpc<'bindingDirectory.GetSalesChannel', Context> =
  ({ database }) =>
  async ({ salesChannelId }) => {
    const channel = await findSalesChannel(database.em(), idToFind(salesChannelId));
    if (!channel) throw notFound();
    return toSalesChannelMessage(channel);
  };

const getSalesChannelsRequest = z.object({ salesChannelIds: idListToFind });

export const getSalesChannels: Rpc<'bindingDirectory.GetSalesChannels', Context> =
  ({ database }) =>
  async (request) => {
    const { salesChannelIds } = parse(getSalesChannelsRequest, request, 'The sales channels cannot be looked up.');
    return { salesChannels: (await findSalesChannels(database.em(), salesChannelIds)).map(toSalesChannelMessage) };
  };

export const listSalesChannels: Rpc<'rbacAdministration.ListSalesChannels', Context> =
  ({ database }) =>
  async () => ({ salesChannels: (await list(database.em())).map(toSalesChannelMessage) });

const pageOpenSalesChannelsRequest = z.object({ search: searchText.optional() });
const pageOpenSalesChannelsParameters = parameters({ search: 'q' });

/** Reveals only id and name of channels, because any account holder may call it. */
export const pageOpenSalesChannels: Rpc<'rbac.PageOpenSalesChannels', Context> =
  ({ database }) =>
  async ({ page, search: text }) => {
    const range = readChannelPage(page);
    const { search } = parse(
      pageOpenSalesChannelsRequest,
      { search: text },
      'The sales channels cannot be searched.',
      pageOpenSalesChannelsParameters,
    );
    const { rows, next } = await listOpenSalesChannels(database.em(), range, search);
    return { salesChannels: rows, next, searched: search !== undefined };
  };

const createSalesChannelParameters = parameters({ name: 'name' });

export const createSalesChannel: Rpc<'rbacAdministration.CreateSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { name } = parse(newSalesChannel, request, 'The name is not valid.', createSalesChannelParameters);
    const channel = { id: newId(), name };
    return answerOnce(
      'rbacAdministration.CreateSalesChannel',
      { database, call, request },
      async (transactional) => {
        await create(transactional, channel, actorOf(call));
        logger.info({ salesChannelId: channel.id }, 'sales channel created');
      },
      () => ({ ...channel, status: 'ACTIVE' }),
    );
  };

const renameSalesChannelParameters = parameters({ name: 'name', reason: 'reason' });

export const renameSalesChannel: Rpc<'rbacAdministration.RenameSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const { salesChannelId, ...named } = parse(
      renameRequest,
      request,
      'The name is not valid.',
      renameSalesChannelParameters,
    );
    const id = idToFind(salesChannelId);
    return answerOnce(
      'rbacAdministration.RenameSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await rename(transactional, { id, ...named }, actorOf(call));
        logger.info({ salesChannelId: id }, 'sales channel renamed');
        return channel;
      },
      toSalesChannelMessage,
    );
  };

const reasonParameter = parameters({ reason: 'reason' });

export const suspendSalesChannel: Rpc<'rbacAdministration.SuspendSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const suspension = parse(suspensionRequest, request, 'The suspension is not valid.', reasonParameter);
    const salesChannelId = idToFind(suspension.salesChannelId);
    return answerOnce(
      'rbacAdministration.SuspendSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await suspend(transactional, salesChannelId, suspension.reason, actorOf(call));
        logger.info({ salesChannelId }, 'sales channel suspended');
        return channel;
      },
      toSalesChannelMessage,
    );
  };

export const resumeSalesChannel: Rpc<'rbacAdministration.ResumeSalesChannel', Context> =
  ({ database, logger }) =>
  async (request, call) => {
    const salesChannelId = idToFind(request.salesChannelId);
    return answerOnce(
      'rbacAdministration.ResumeSalesChannel',
      { database, call, request },
      async (transactional) => {
        const channel = await resume(transactional, salesChannelId, actorOf(call));
        logger.info({ salesChannelId }, 'sales channel resumed');
        return channel;
      },
      toSalesChannelMessage,
    );
  };

export const closeSalesChannel: Rpc<'rbacAdministration.CloseSalesChannel', Context> =
  ({ database, tasks, inventory, logger }) =>
  async (request, call) => {
    const { reason, ...named } = parse(suspensionRequest, request, 'The closing is not valid.', reasonParameter);
    const id = idToFind(named.salesChannelId);
    return answerOnce(
      'rbacAdministration.CloseSalesChannel',
      { database, call, request },
      async (transactional) => {
        const closing = { id, reason, refuseUsed: () => refuseUsed({ tasks, inventory }, id, call) };
        const channel = await close(transactional, closing, actorOf(call));
        logger.info({ salesChannelId: id }, 'sales channel closed');
        return channel;
      },
      toSalesChannelMessage,
    );
  };

export const replaceSalesChannel: Rpc<'rbac.ReplaceSalesChannel', Context> =
  ({ database, isSandbox, logger }) =>
  async (request, call) => {
    // Defence in depth: a stolen service key could call it in any installation.
    if (!isSandbox) throw forbidden();
    const { userId } = userOf(call);
    const previousSalesChannelId = salesChannelOf(call);
    return answerOnce(
      'rbac.ReplaceSalesChannel',
      { database, call, request },
      async (transactional) => {
        const replacement = { userId, salesChannelId: previousSalesChannelId };
        const salesChannelId = await replace(transactional, replacement, actorOf(call));
        logger.info({ salesChannelId, previousSalesChannelId }, 'sales channel replaced');
        return salesChannelId;
      },
      (salesChannelId) => ({ salesChannelId, previousSalesChannelId }),
    );
  };
