import type { ComponentProps } from 'react';
import { dateTime } from '../../shared/format/time.ts';
import { Area } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/page.tsx';
import { ChooseFilter } from '../../shared/ui/toolbar.tsx';
import type { Schemas } from '../api.ts';
import { text } from './text.ts';

type Suspendable = Pick<Schemas['Holder'], 'status' | 'suspendedAt' | 'suspendedReason'> &
  Partial<Pick<Schemas['SalesChannel'], 'closedAt' | 'closedReason'>>;

/** Status with the date and reason of a suspension or closure. */
export function Standing({ of }: { readonly of: Suspendable }) {
  if (of.status === 'ACTIVE') return <Status tone="ok">{text.active}</Status>;
  const [what, since, reason] =
    of.closedAt === undefined || of.closedAt === null
      ? [text.suspended, of.suspendedAt, of.suspendedReason]
      : [text.closed, of.closedAt, of.closedReason];
  const details = [since === null ? undefined : dateTime(since), reason ?? undefined];
  return <Status tone="bad">{[what, ...details].filter((each) => each !== undefined).join(', ')}</Status>;
}

/** Reason for the action, recorded in the audit trail. */
export function Reason({ fault }: { readonly fault: string | undefined }) {
  return (
    <Area label={text.reason} hint={text.reasonHint} name="reason" required maxLength={1000} rows={2} fault={fault} />
  );
}

const statuses = [
  ['ACTIVE', text.active],
  ['SUSPENDED', text.suspended],
] as const;
const channelStatuses = [...statuses, ['CLOSED', text.closed]] as const;

type Chosen = Pick<ComponentProps<typeof ChooseFilter>, 'value' | 'onChoose'>;

/** Filters account holders by status. */
export const StatusFilter = (props: Chosen) => <ChooseFilter label={text.status} options={statuses} {...props} />;

/** Filters sales channels by status. */
export const ChannelStatusFilter = (props: Chosen) => (
  <ChooseFilter label={text.status} options={channelStatuses} {...props} />
);
