import type { Binding as BindingMessage } from '@saleschannel/contracts/gen/rbac/v1/Binding';
import type { GetSalesChannelRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/GetSalesChannelRequest';
import type { ReadBindingRequest__Output } from '@saleschannel/contracts/gen/rbac/v1/ReadBindingRequest';
import type { SalesChannel as SalesChannelMessage } from '@saleschannel/contracts/gen/rbac/v1/SalesChannel';
import { notFound } from '@saleschannel/errors';
import { isId } from '@saleschannel/primitives';
import type { Context } from '../context.ts';
import { findBinding } from '../store/bindings.ts';
import { findSalesChannel } from '../store/sales-channels.ts';
import { bindingMessage } from './bindings.ts';

/** The hot read. Nobody is unknown here: a user without a binding has no channel and no roles. */
export const readBinding =
  (context: Context) =>
  async ({ userId }: ReadBindingRequest__Output): Promise<BindingMessage> => {
    const binding = isId(userId) ? await findBinding(context.database.em(), userId) : undefined;
    return binding ? bindingMessage(binding) : { userId, salesChannelId: '', roles: [] };
  };

export const getSalesChannel =
  (context: Context) =>
  async ({ salesChannelId }: GetSalesChannelRequest__Output): Promise<SalesChannelMessage> => {
    const channel = isId(salesChannelId) ? await findSalesChannel(context.database.em(), salesChannelId) : undefined;
    if (!channel) throw notFound();
    return channel;
  };
