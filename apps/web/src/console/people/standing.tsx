import { dateTime } from '../../shared/format/time.ts';
import { Area } from '../../shared/ui/form.tsx';
import { Status } from '../../shared/ui/page.tsx';
import type { Schemas } from '../api.ts';
import { text } from './text.ts';

type Standing = Pick<Schemas['Holder'], 'status' | 'suspendedAt' | 'suspendedReason'> &
  Partial<Pick<Schemas['SalesChannel'], 'closedAt' | 'closedReason'>>;

/** Whether something may be changed on a channel or by a holder, and since when and why not. */
export function Standing({ of }: { readonly of: Standing }) {
  if (of.status === 'ACTIVE') return <Status tone="ok">{text.active}</Status>;
  const [what, since, reason] =
    of.closedAt === undefined || of.closedAt === null
      ? [text.suspended, of.suspendedAt, of.suspendedReason]
      : [text.closed, of.closedAt, of.closedReason];
  const details = [since === null ? undefined : dateTime(since), reason ?? undefined];
  return <Status tone="bad">{[what, ...details].filter((each) => each !== undefined).join(', ')}</Status>;
}

/** Why something is taken away. */
export function Reason({ fault }: { readonly fault: string | undefined }) {
  return (
    <Area label={text.reason} hint={text.reasonHint} name="reason" required maxLength={1000} rows={2} fault={fault} />
  );
}
