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
import { toEndpointMessage, toEndpointWithSecret } from './messages.ts';

export const listEndpoints: Rpc<'webhooks.ListEndpoints', Context> =
  ({ database, clock }) =>
  async (_request, call) => {
    const endpoints = await list(database.em(), salesChannelOf(call), clock.now().toISOString());
    return { endpoints: endpoints.map(toEndpointMessage) };
  };

export const getEndpoint: Rpc<'webhooks.GetEndpoint', Context> =
  ({ database, clock }) =>
  async ({ endpointId }, call) => {
    const now = clock.now().toISOString();
    const endpoint = await findEndpoint(database.em(), idToFind(endpointId), salesChannelOf(call), now);
    if (!endpoint) throw notFound();
    return toEndpointMessage(endpoint);
  };

export const createEndpoint: Rpc<'webhooks.CreateEndpoint', Context> = (context) => {
  const schema = newEndpoint(context.targetRules);
  return async (request, call) => {
    const owner = {
      salesChannelId: salesChannelOf(call),
      createdBy: userOf(call).userId,
      atMost: context.endpointsPerChannel,
    };
    const settings = parse(schema, request, 'The webhook endpoint is not valid.');
    return answerOnce(
      'webhooks.CreateEndpoint',
      { ...context, call, request },
      (database) => create({ ...context, database }, owner, settings, actorOf(call)),
      toEndpointWithSecret,
    );
  };
};

export const updateEndpoint: Rpc<'webhooks.UpdateEndpoint', Context> = (context) => {
  const schema = endpointChange(context.targetRules);
  return async ({ endpointId, ...request }, call) => {
    const endpointRef = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    const change = parse(schema, request, 'The webhook endpoint is not valid.');
    return toEndpointMessage(await changeEndpoint(context, endpointRef, change, actorOf(call)));
  };
};

export const deleteEndpoint: Rpc<'webhooks.DeleteEndpoint', Context> =
  (context) =>
  async ({ endpointId }, call) => {
    const endpointRef = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
    return toEndpointMessage(await remove(context, endpointRef, actorOf(call)));
  };

export const rotateSecret: Rpc<'webhooks.RotateSecret', Context> = (context) => async (request, call) => {
  const { endpointId, ...terms } = request;
  const endpointRef = { id: idToFind(endpointId), salesChannelId: salesChannelOf(call) };
  const { overlapHours } = parse(rotation, terms, 'The secret cannot be rotated this way.');
  return answerOnce(
    'webhooks.RotateSecret',
    { ...context, call, request },
    (database) => rotate({ ...context, database }, endpointRef, overlapHours, actorOf(call)),
    toEndpointWithSecret,
  );
};
