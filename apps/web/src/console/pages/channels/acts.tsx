import { dataOf } from '../../../shared/api/client.ts';
import type { Act } from '../../../shared/ui/act-dialog.tsx';
import { requiredText } from '../../../shared/ui/form-text.ts';
import { Field } from '../../../shared/ui/form.tsx';
import { operations } from '../../api.ts';
import { Affected } from '../../people/affected.tsx';
import { channelsKey, type Channel } from '../../people/channels.ts';
import { Reason } from '../../people/standing.tsx';
import { text as common } from '../../people/text.ts';
import { text } from './text.ts';

const changes = [channelsKey];

export const create: Act<Channel> = {
  title: text.create,
  why: text.createWhy,
  button: text.create,
  pointers: ['/name'],
  fields: (faultAt) => <Field label={text.name} name="name" required maxLength={200} fault={faultAt('/name')} />,
  send: (form) => dataOf(operations.POST('/sales-channels', { body: { name: requiredText(form, 'name') } })),
  changes,
};

const rename = ({ id, name }: Channel): Act<Channel> => ({
  title: text.renameTitle(name),
  why: text.renameWhy(id),
  button: text.rename,
  pointers: ['/name', '/reason'],
  fields: (faultAt) => (
    <>
      <Affected scope={{ salesChannelId: id }} />
      <Field label={text.name} name="name" required maxLength={200} defaultValue={name} fault={faultAt('/name')} />
      <Reason fault={faultAt('/reason')} />
    </>
  ),
  send: (form) =>
    dataOf(
      operations.POST('/sales-channels/{salesChannelId}/rename', {
        params: { path: { salesChannelId: id } },
        body: { name: requiredText(form, 'name'), reason: requiredText(form, 'reason') },
      }),
    ),
  changes,
});

const suspend = ({ id, name }: Channel): Act<Channel> => ({
  title: text.suspendTitle(name),
  why: text.suspendWhy,
  button: common.suspend,
  look: 'danger',
  pointers: ['/reason'],
  fields: (faultAt) => (
    <>
      <Affected scope={{ salesChannelId: id }} />
      <Reason fault={faultAt('/reason')} />
    </>
  ),
  send: (form) =>
    dataOf(
      operations.POST('/sales-channels/{salesChannelId}/suspend', {
        params: { path: { salesChannelId: id } },
        body: { reason: requiredText(form, 'reason') },
      }),
    ),
  changes,
});

const resume = ({ id, name }: Channel): Act<Channel> => ({
  title: text.resumeTitle(name),
  why: text.resumeWhy,
  button: common.resume,
  fields: () => <Affected scope={{ salesChannelId: id }} />,
  send: () =>
    dataOf(operations.POST('/sales-channels/{salesChannelId}/resume', { params: { path: { salesChannelId: id } } })),
  changes,
});

const close = ({ id, name }: Channel): Act<Channel> => ({
  title: text.closeTitle(name),
  why: text.closeWhy,
  isIrreversible: true,
  button: text.close,
  look: 'danger',
  pointers: ['/reason'],
  fields: (faultAt) => (
    <>
      <Affected scope={{ salesChannelId: id }} />
      <Reason fault={faultAt('/reason')} />
    </>
  ),
  send: (form) =>
    dataOf(
      operations.POST('/sales-channels/{salesChannelId}/close', {
        params: { path: { salesChannelId: id } },
        body: { reason: requiredText(form, 'reason') },
      }),
    ),
  changes,
});

/** What can be done to a channel as it is now. */
export function actsOn(channel: Channel): readonly Act<Channel>[] {
  if (channel.closedAt !== null) return [];
  if (channel.status === 'ACTIVE') return [rename(channel), suspend(channel)];
  return [rename(channel), resume(channel), close(channel)];
}
