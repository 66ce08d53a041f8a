import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { DialogAction } from '../../shared/ui/action-dialog.tsx';
import { readRequiredText } from '../../shared/ui/form-text.ts';
import { unwrapData } from '../../shared/api/client.ts';
import { formatNumber } from '../../shared/format/numbers.ts';
import { formatDateTime } from '../../shared/format/time.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { TextArea } from '../../shared/ui/form.tsx';
import { Status, Facts } from '../../shared/ui/page.tsx';
import { Failure } from '../../shared/ui/state.tsx';
import { SelectFilter } from '../../shared/ui/toolbar.tsx';
import { operations, PAGE_SIZE, type Schemas } from '../api.ts';

/** Labels shared by the pages of channels, holders and users. */
export const text = translate({
  active: 'active',
  suspended: 'suspended',
  closed: 'closed',
  reason: 'Reason',
  reasonHint: 'Recorded in the audit trail, for later readers.',
  suspend: 'Suspend',
  resume: 'Resume',
  status: 'Status',
  filters: 'Filters',
});

const affectedText = translate({
  channel: 'Sales channel',
  holder: 'Account holder',
  users: 'Users',
  invitations: 'Open invitations',
  tasks: 'Open tasks',
  transactions: 'Open transactions',
  reserved: 'Reserved certificate bundles',
  listed: 'Listed certificate bundles',
  holderUsers: 'Users of the account holder',
  keys: 'Registry keys',
  orMore: (count: string) => `${count} or more`,
  counting: 'counting',
});

interface Listed {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

const formatPageCount = ({ items, next }: Listed): string =>
  next === null ? formatNumber(items.length) : affectedText.orMore(formatNumber(items.length));

const formatCount = ({ count: known, isMore }: Schemas['CountOfSome']): string =>
  isMore ? affectedText.orMore(formatNumber(known)) : formatNumber(known);

type Scope = { readonly salesChannelId: string } | { readonly accountHolderId: string };

async function count(scope: Scope, signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  if ('salesChannelId' in scope) {
    const path = { salesChannelId: scope.salesChannelId };
    const use = await unwrapData(operations.GET('/sales-channels/{salesChannelId}/use', { signal, params: { path } }));
    return [
      [affectedText.users, formatCount(use.users)],
      [affectedText.invitations, formatCount(use.invitations)],
      [affectedText.tasks, formatCount(use.tasks)],
      [affectedText.transactions, formatCount(use.pendingTransactions)],
      [affectedText.reserved, formatCount(use.reservedBundles)],
      [affectedText.listed, formatCount(use.listedBundles)],
    ];
  }
  const query = { ...scope, limit: PAGE_SIZE };
  const [users, keys] = await Promise.all([
    unwrapData(operations.GET('/users', { signal, params: { query } })),
    unwrapData(operations.GET('/keys', { signal, params: { query } })),
  ]);
  return [
    [affectedText.holderUsers, formatPageCount(users)],
    [affectedText.keys, formatPageCount(keys)],
  ];
}

/** Shows the affected object with its id, because names are not unique, and counts what the action affects. */
export function Affected({ scope }: { readonly scope: Scope }) {
  const counted = useQuery({
    queryKey: ['affected', scope],
    staleTime: 0,
    queryFn: ({ signal }) => count(scope, signal),
  });
  const isChannel = 'salesChannelId' in scope;
  const id = isChannel ? scope.salesChannelId : scope.accountHolderId;
  const waiting: readonly (readonly [string, string])[] = [
    [isChannel ? affectedText.users : affectedText.holderUsers, affectedText.counting],
  ];
  return (
    <>
      <Facts
        of={[
          [isChannel ? affectedText.channel : affectedText.holder, <code key="id">{id}</code>],
          ...(counted.data ?? waiting),
        ]}
      />
      {counted.error && <Failure error={counted.error} />}
    </>
  );
}

type Suspendable = Pick<Schemas['Holder'], 'status' | 'suspendedAt' | 'suspendedReason'> &
  Partial<Pick<Schemas['SalesChannel'], 'closedAt' | 'closedReason'>>;

/** Status with the date and reason of a suspension or closure. */
export function SuspensionStatus({ of }: { readonly of: Suspendable }) {
  if (of.status === 'ACTIVE') return <Status tone="ok">{text.active}</Status>;
  const [what, since, reason] =
    of.closedAt === undefined || of.closedAt === null
      ? [text.suspended, of.suspendedAt, of.suspendedReason]
      : [text.closed, of.closedAt, of.closedReason];
  const details = [since === null ? undefined : formatDateTime(since), reason ?? undefined];
  return <Status tone="bad">{[what, ...details].filter((each) => each !== undefined).join(', ')}</Status>;
}

/** Reason for the action, recorded in the audit trail. */
export function Reason({ fault }: { readonly fault: string | undefined }) {
  return (
    <TextArea
      label={text.reason}
      hint={text.reasonHint}
      name="reason"
      required
      maxLength={1000}
      rows={2}
      fault={fault}
    />
  );
}

/** Members of an action with a reason, which the audit trail records. @param above shown above the reason */
export const withReason = (above?: ReactNode): Pick<DialogAction<never>, 'pointers' | 'fields'> => ({
  pointers: ['/reason'],
  fields: (faultAt) => (
    <>
      {above}
      <Reason fault={faultAt('/reason')} />
    </>
  ),
});

/** Body of a request with a reason. */
export const readReason = (form: FormData) => ({ reason: readRequiredText(form, 'reason') });

const statuses = [
  ['ACTIVE', text.active],
  ['SUSPENDED', text.suspended],
] as const;
const channelStatuses = [...statuses, ['CLOSED', text.closed]] as const;

type Chosen = Pick<ComponentProps<typeof SelectFilter>, 'value' | 'onChoose'>;

/** Filters account holders by status. */
export const StatusFilter = (props: Chosen) => <SelectFilter label={text.status} options={statuses} {...props} />;

/** Filters sales channels by status. */
export const ChannelStatusFilter = (props: Chosen) => (
  <SelectFilter label={text.status} options={channelStatuses} {...props} />
);
