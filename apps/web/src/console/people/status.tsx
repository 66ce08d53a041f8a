import type { ComponentProps } from 'react';
import { formatDateTime } from '../../shared/format/time.ts';
import { TextArea } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/page.tsx';
import { SelectFilter } from '../../shared/ui/toolbar.tsx';
import type { Schemas } from '../api.ts';
import { text } from './text.ts';

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
