import { dateTime } from '../../shared/format/time.ts';
import { Status } from '../../shared/ui/page.tsx';
import type { User } from '../people/users.ts';
import { text } from './text.ts';

export function UserStanding({ of: { disabledAt, disabledReason } }: { readonly of: User }) {
  if (disabledAt === null) return <Status tone="ok">{text.enabled}</Status>;
  const parts = [text.disabled, dateTime(disabledAt), disabledReason];
  return <Status tone="bad">{parts.filter((part) => part !== null).join(', ')}</Status>;
}
