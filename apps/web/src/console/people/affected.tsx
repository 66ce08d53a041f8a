import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../shared/api/client.ts';
import { digits } from '../../shared/format/numbers.ts';
import { translated } from '../../shared/i18n/messages.ts';
import { Facts } from '../../shared/ui/page.tsx';
import { Failure } from '../../shared/ui/state.tsx';
import { operations } from '../api.ts';
import { PAGE_SIZE } from './holders.ts';

const text = translated({
  channel: 'Sales channel',
  holder: 'Account holder',
  users: 'Users who can no longer change anything there',
  holderUsers: 'Users of it',
  keys: 'Registry keys that are refused',
  orMore: (count: string) => `${count} or more`,
  counting: 'counting',
});

interface Listed {
  readonly items: readonly unknown[];
  readonly next: string | null;
}

const countOf = ({ items, next }: Listed): string =>
  next === null ? digits(items.length) : text.orMore(digits(items.length));

type Scope = { readonly salesChannelId: string } | { readonly accountHolderId: string };

async function count(scope: Scope, signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  const query = { ...scope, limit: PAGE_SIZE };
  if ('salesChannelId' in scope) {
    return [[text.users, countOf(await dataOf(operations.GET('/bindings', { signal, params: { query } })))]];
  }
  const [users, keys] = await Promise.all([
    dataOf(operations.GET('/users', { signal, params: { query } })),
    dataOf(operations.GET('/keys', { signal, params: { query } })),
  ]);
  return [
    [text.holderUsers, countOf(users)],
    [text.keys, countOf(keys)],
  ];
}

/** What a suspension is of, by its id, and what it hits: names may be those of others too. */
export function Affected({ scope }: { readonly scope: Scope }) {
  const counted = useQuery({
    queryKey: ['affected', scope],
    staleTime: 0,
    queryFn: ({ signal }) => count(scope, signal),
  });
  const isChannel = 'salesChannelId' in scope;
  const id = isChannel ? scope.salesChannelId : scope.accountHolderId;
  const waiting: readonly (readonly [string, string])[] = [[isChannel ? text.users : text.holderUsers, text.counting]];
  return (
    <>
      <Facts
        of={[[isChannel ? text.channel : text.holder, <code key="id">{id}</code>], ...(counted.data ?? waiting)]}
      />
      {counted.error && <Failure error={counted.error} />}
    </>
  );
}
