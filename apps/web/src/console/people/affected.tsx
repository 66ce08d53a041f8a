import { useQuery } from '@tanstack/react-query';
import { unwrapData } from '../../shared/api/client.ts';
import { formatNumber } from '../../shared/format/numbers.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Facts } from '../../shared/ui/page.tsx';
import { Failure } from '../../shared/ui/state.tsx';
import { operations, type Schemas } from '../api.ts';
import { PAGE_SIZE } from './holders.ts';

const text = translate({
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
  next === null ? formatNumber(items.length) : text.orMore(formatNumber(items.length));

const formatCount = ({ count: known, isMore }: Schemas['CountOfSome']): string =>
  isMore ? text.orMore(formatNumber(known)) : formatNumber(known);

type Scope = { readonly salesChannelId: string } | { readonly accountHolderId: string };

async function count(scope: Scope, signal: AbortSignal): Promise<readonly (readonly [string, string])[]> {
  if ('salesChannelId' in scope) {
    const path = { salesChannelId: scope.salesChannelId };
    const use = await unwrapData(operations.GET('/sales-channels/{salesChannelId}/use', { signal, params: { path } }));
    return [
      [text.users, formatCount(use.users)],
      [text.invitations, formatCount(use.invitations)],
      [text.tasks, formatCount(use.tasks)],
      [text.transactions, formatCount(use.pendingTransactions)],
      [text.reserved, formatCount(use.reservedBundles)],
      [text.listed, formatCount(use.listedBundles)],
    ];
  }
  const query = { ...scope, limit: PAGE_SIZE };
  const [users, keys] = await Promise.all([
    unwrapData(operations.GET('/users', { signal, params: { query } })),
    unwrapData(operations.GET('/keys', { signal, params: { query } })),
  ]);
  return [
    [text.holderUsers, formatPageCount(users)],
    [text.keys, formatPageCount(keys)],
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
