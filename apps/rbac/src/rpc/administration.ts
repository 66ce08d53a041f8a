import type { AssignRolesRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/AssignRolesRequest';
import type { Binding as BindingMessage } from '@saleschannel/contracts/gen/rbac/v1/Binding';
import type { CreateSalesChannelRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/CreateSalesChannelRequest';
import type { ListSalesChannelsResponse } from '@saleschannel/contracts/gen/rbac/v1/ListSalesChannelsResponse';
import type { SalesChannel as SalesChannelMessage } from '@saleschannel/contracts/gen/rbac/v1/SalesChannel';
import { invalidRequest, notFound } from '@saleschannel/errors';
import type { Call } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { roleOf } from '../domain/binding.ts';
import { assignRoles as assign } from '../operations/change-binding.ts';
import { addSalesChannel, listSalesChannels as list } from '../store/sales-channels.ts';
import { bindingMessage } from './bindings.ts';
import { checkId, userExists } from './users.ts';

const NAME_LENGTH_AT_MOST = 200;
// oxlint-disable-next-line no-control-regex
const NAME_FORM = /^[^\u0000-\u001f\u007f]+$/;

export const createSalesChannel =
  (context: Context) =>
  async ({ name }: CreateSalesChannelRequest__Output): Promise<SalesChannelMessage> => {
    if (name.trim() === '' || name.length > NAME_LENGTH_AT_MOST || !NAME_FORM.test(name)) {
      const detail = `must have 1 to ${NAME_LENGTH_AT_MOST} characters, none of them a control character`;
      throw invalidRequest('The name is not valid.', [{ parameter: 'name', detail, code: 'text-form' }]);
    }
    const channel = { id: newId(), name };
    await context.database.transaction(async (em) => addSalesChannel(em, channel));
    context.logger.info({ salesChannelId: channel.id }, 'sales channel created');
    return channel;
  };

export const listSalesChannels = (context: Context) => async (): Promise<ListSalesChannelsResponse> => ({
  salesChannels: await list(context.database.em()),
});

export const assignRoles =
  (context: Context) =>
  async ({ userId, salesChannelId, roles }: AssignRolesRequest__Output, call: Call): Promise<BindingMessage> => {
    const valid = roles.map((role) => roleOf(role, 'roles'));
    checkId(salesChannelId);
    if (!(await userExists(context, userId, call))) throw notFound();
    return bindingMessage(await assign(context, { userId, salesChannelId }, valid));
  };
