import { actorOf } from '@saleschannel/audit';
import { notFound } from '@saleschannel/errors';
import { salesChannelOf, userOf, type Rpc } from '@saleschannel/grpc';
import { answerOnce } from '@saleschannel/idempotency';
import { idToFind, parse } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import { endpointChange, newEndpoint, rotation } from '../domain/endpoint.ts';
import {
  changeEndpoint,
  createEndpoint as create,
  deleteEndpoint as remove,
  rotateSecret as rotate,
} from '../operations/endpoints.ts';
import { findEndpoint, listEndpoints as list } from '../store/endpoints.ts';
import { endpointMessage, withSecretMessage } from './messages.ts';

export const listEndpoints: Rpc<'webhooks.ListEndpoints', Context> =
  ({ database, clock }) =>
  async (_request, call) => {
    const endpoints = await list(database.em(), salesChannelOf(call), clock.now().toISOString());
    return { endpoints: endpoints.map(endpointMessage) };
  };

export const getEndpoint: Rpc<'webhooks.GetEndpoint', Context> =
  ({ database, clock }) =>
  async ({ endpointId }, call) => {
    const now = clock.now().toISOString();
    const endpoint = await findEndpoint(database.em(), idToFind(endpointId), salesChannelOf(call), now);
    if (!endpoint) throw notFound();
    return endpointMessage(endpoint);
  };

export const createEndpoint: Rpc<'webhooks.CreateEndpoint', Context> = (context) => {
  const schema = newEndpoint(context.targetRules);
  return async (request, call) => {
    const maker = { salesChannelId: salesChannelOf(call), createdBy: userOf(call).userId };
    const wanted = parse(schema, request, 'The webhook endpoint is not valid.');
    const owner = { ...maker, atMost: context.endpointsPerChannel };
    const keyed = { ...context, call, request };
    return answerOnce(
      'webhooks.CreateEndpoint',
      keyed,
      (database) => create({ ...context, database }, owner, wanted, actorOf(call)),
      withSecretMessage,
    );
  };
};

export const updateEndpoint: Rpc<'webhooks.UpdateEndpoint', Context> = (context) => {
  const schema = endpointChange(context.targetRules);
  return async ({ endpointId, ...request }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    const change = parse(schema, request, 'The webhook endpoint is not valid.');
    return endpointMessage(await changeEndpoint(context, owned, change, actorOf(call)));
  };
};

export const deleteEndpoint: Rpc<'webhooks.DeleteEndpoint', Context> =
  (context) =>
  async ({ endpointId }, call) => {
    const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    return endpointMessage(await remove(context, owned, actorOf(call)));
  };

export const rotateSecret: Rpc<'webhooks.RotateSecret', Context> = (context) => async (request, call) => {
  const { endpointId, ...terms } = request;
  const owned = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  const { overlapHours } = parse(rotation, terms, 'The secret cannot be rotated this way.');
  return answerOnce(
    'webhooks.RotateSecret',
    { ...context, call, request },
    (database) => rotate({ ...context, database }, owned, overlapHours, actorOf(call)),
    withSecretMessage,
  );
};
