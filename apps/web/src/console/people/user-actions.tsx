import { useQuery } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import type { DialogAction } from '../../shared/ui/action-dialog.tsx';
import { readRequiredText, readText } from '../../shared/ui/form-text.ts';
import { Select, Field, Group } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/page.tsx';
import { Read } from '../../shared/ui/state.tsx';
import { operations, fetchChannels, channelsKey, type Schemas } from '../api.ts';
import styles from '../console.module.css';
import { readReason, withReason } from './suspension.tsx';
import { bindingsKey, usersKey, text, type Binding, type User } from './users.ts';

export function UserStatus({ of: { disabledAt, disabledReason } }: { readonly of: User }) {
  if (disabledAt === null) return <Status tone="ok">{text.enabled}</Status>;
  const parts = [text.disabled, formatDateTime(disabledAt), disabledReason];
  return <Status tone="bad">{parts.filter((part) => part !== null).join(', ')}</Status>;
}

interface ChannelChoiceProps {
  readonly name: string;
  /** Sales channel of the user, if any: then the only choice. */
  readonly only: string | undefined;
  readonly fault: string | undefined;
}

/** Chooses a sales channel by name. Closed channels, which have no users, are omitted. */
function ChannelChoice({ name, only, fault }: ChannelChoiceProps) {
  const channels = useQuery({ queryKey: [...channelsKey, 'choice'], queryFn: ({ signal }) => fetchChannels(signal) });
  return (
    <Read of={channels}>
      {(all) => (
        <Select label={text.channel} name={name} required fault={fault}>
          {only === undefined && <option value="">{text.chooseChannel}</option>}
          {all
            .filter(({ id, closedAt }) => (only === undefined || id === only) && closedAt === null)
            .map((channel) => (
              <option key={channel.id} value={channel.id}>
                {channel.name}
              </option>
            ))}
        </Select>
      )}
    </Read>
  );
}

type Role = Schemas['Role'];

const roles: readonly Role[] = [
  'ROLE_ADMINISTRATOR',
  'TRANSACTION_ADMINISTRATOR',
  'TRADER_ADMINISTRATOR',
  'TRADER_VIEWER',
  'TRADERONBOARDERPROPOSAL_ACCEPTER',
  'TRADERONBOARDERPROPOSAL_VIEWER',
  'ASSET_VIEWER',
  'ASSET_OFFRAMPER',
  'PRODUCTIONFACILITY_VIEWER',
  'SUPPLIER_VIEWER',
  'EVENT_VIEWER',
];

const changes = [usersKey, bindingsKey];

/** @param done next step, such as opening the user */
export const createUser = (done: (user: User) => void): DialogAction<User> => ({
  title: text.create,
  description: text.createWhy,
  button: text.create,
  pointers: ['/issuer', '/subject'],
  fields: (faultAt) => (
    <>
      <Field
        label={text.issuer}
        hint={text.issuerHint}
        name="issuer"
        type="url"
        required
        maxLength={500}
        fault={faultAt('/issuer')}
      />
      <Field
        label={text.subject}
        hint={text.subjectHint}
        name="subject"
        required
        maxLength={255}
        fault={faultAt('/subject')}
      />
    </>
  ),
  send: (form) =>
    unwrapData(
      operations.POST('/users', {
        body: { issuer: readRequiredText(form, 'issuer'), subject: readRequiredText(form, 'subject') },
      }),
    ),
  changes,
  onSuccess: done,
});

const toPathParameters = ({ id: userId }: User) => ({ path: { userId } });

const assign = (user: User, binding: Binding | null): DialogAction<unknown> => ({
  title: text.assignTitle(user.subject),
  description: text.assignWhy,
  button: text.assign,
  pointers: ['/salesChannelId', '/roles'],
  fields: (faultAt) => (
    <>
      <ChannelChoice name="salesChannelId" only={binding?.salesChannelId} fault={faultAt('/salesChannelId')} />
      <Group legend={text.roles} isRequired fault={faultAt('/roles')}>
        {roles
          .filter((role) => binding?.roles.includes(role) !== true)
          .map((role) => (
            <label key={role} className={styles['role']}>
              <input type="checkbox" name="roles" value={role} />
              {role}
            </label>
          ))}
      </Group>
    </>
  ),
  send: (form) =>
    unwrapData(
      operations.POST('/users/{userId}/roles', {
        params: toPathParameters(user),
        body: { salesChannelId: readRequiredText(form, 'salesChannelId'), roles: form.getAll('roles') as Role[] },
      }),
    ),
  changes,
});

const setHolder = (user: User): DialogAction<unknown> => ({
  title: text.setHolderTitle(user.subject),
  description: text.setHolderWhy,
  button: text.setHolder,
  pointers: ['/accountHolderId'],
  fields: (faultAt) => (
    <Field
      label={text.holder}
      name="accountHolderId"
      maxLength={128}
      defaultValue={user.accountHolderId ?? undefined}
      fault={faultAt('/accountHolderId')}
    />
  ),
  send: (form) =>
    unwrapData(
      operations.PUT('/users/{userId}/account-holder', {
        params: toPathParameters(user),
        body: { accountHolderId: readText(form, 'accountHolderId') ?? null },
      }),
    ),
  changes,
});

const disable = (user: User): DialogAction<unknown> => ({
  title: text.disableTitle(user.subject),
  description: text.disableWhy,
  button: text.disable,
  look: 'danger',
  ...withReason(),
  send: (form) =>
    unwrapData(
      operations.POST('/users/{userId}/disable', {
        params: toPathParameters(user),
        body: readReason(form),
      }),
    ),
  changes,
});

const enable = (user: User): DialogAction<unknown> => ({
  title: text.enableTitle(user.subject),
  description: text.enableWhy,
  button: text.enable,
  send: () => unwrapData(operations.POST('/users/{userId}/enable', { params: toPathParameters(user) })),
  changes,
});

const unbind = (user: User): DialogAction<unknown> => ({
  title: text.unbindTitle(user.subject),
  description: text.unbindWhy,
  isIrreversible: true,
  button: text.unbind,
  look: 'danger',
  send: () => unwrapData(operations.DELETE('/users/{userId}/binding', { params: toPathParameters(user) })),
  changes,
  renderResult: (ended) => ((ended as Schemas['EndedBinding']).wasLastAdministrator ? text.wasLast : text.unbound),
});

/** Actions available for a user in their current state. */
export const listUserActions = (user: User, binding: Binding | null): readonly DialogAction<unknown>[] => [
  assign(user, binding),
  setHolder(user),
  ...(binding ? [unbind(user)] : []),
  user.disabledAt === null ? disable(user) : enable(user),
];
