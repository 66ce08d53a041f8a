import { useQueries } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { api, dataOf } from '../../../shared/api/client.ts';
import { ApiError } from '../../../shared/api/problem.ts';
import { translated } from '../../../shared/i18n/messages.ts';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Failure, Loading } from '../../../shared/ui/state.tsx';
import { isOfChannel, useMe, type Me } from '../../me.ts';
import { endpointPath } from '../../webhooks/endpoints.ts';
import { calledAs } from '../../webhooks/standing.ts';

const text = translated({
  title: 'Search',
  aside: (id: string) => `for ${id}`,
  transaction: 'Transaction',
  trader: 'Trader',
  facility: 'Facility',
  supplier: 'Supplier',
  webhookEndpoint: 'Webhook endpoint',
  nothing: 'Nothing that you may see has this id.',
  noText: 'Type an id of a transaction, a trader, a facility, a supplier or a webhook endpoint into the search above.',
});

interface Hit {
  readonly kind: string;
  readonly name: string;
  readonly path: string | undefined;
}

type Look = (id: string, signal: AbortSignal) => Promise<Hit>;

/** What can be looked up by its id, for those who may. */
function looksFor(me: Me): { readonly name: string; readonly look: Look }[] {
  const looks: { name: string; isFor: boolean; look: Look }[] = [
    {
      name: 'transaction',
      isFor: isOfChannel(me, 'TRANSACTION_ADMINISTRATOR'),
      look: async (transactionId, signal) => {
        const options = { signal, params: { path: { transactionId } } };
        const { id } = await dataOf(api.GET('/saleschannel-services/v1/transactions/{transactionId}', options));
        return { kind: text.transaction, name: id, path: `/channel/transactions/${encodeURIComponent(id)}` };
      },
    },
    {
      name: 'trader',
      isFor: isOfChannel(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR'),
      look: async (traderId, signal) => {
        const options = { signal, params: { path: { traderId } } };
        const { id, name } = await dataOf(api.GET('/saleschannel-services/v1/traders/{traderId}', options));
        return { kind: text.trader, name, path: `/channel/inventory?trader=${encodeURIComponent(id)}` };
      },
    },
    {
      name: 'facility',
      isFor: isOfChannel(me, 'PRODUCTIONFACILITY_VIEWER'),
      look: async (productionFacilityId, signal) => {
        const path = '/saleschannel-services/v1/production-facilities/{productionFacilityId}';
        const { name } = await dataOf(api.GET(path, { signal, params: { path: { productionFacilityId } } }));
        return { kind: text.facility, name, path: undefined };
      },
    },
    {
      name: 'supplier',
      isFor: isOfChannel(me, 'SUPPLIER_VIEWER'),
      look: async (supplierId, signal) => {
        const options = { signal, params: { path: { supplierId } } };
        const { name } = await dataOf(api.GET('/saleschannel-services/v1/suppliers/{supplierId}', options));
        return { kind: text.supplier, name, path: undefined };
      },
    },
    {
      name: 'webhook endpoint',
      isFor: isOfChannel(me, 'EVENT_VIEWER'),
      look: async (webhookEndpointId, signal) => {
        const path = '/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}';
        const endpoint = await dataOf(api.GET(path, { signal, params: { path: { webhookEndpointId } } }));
        return { kind: text.webhookEndpoint, name: calledAs(endpoint), path: endpointPath(endpoint.id) };
      },
    },
  ];
  return looks.filter(({ isFor }) => isFor);
}

/** Not there, and not a thing that an id can be: both say that this is none. */
const isNone = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400);

function Hits({ id, me }: { readonly id: string; readonly me: Me }) {
  const results = useQueries({
    queries: looksFor(me).map(({ name, look }) => ({
      queryKey: ['search', name, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => look(id, signal),
    })),
  });
  const hits = results.flatMap(({ data }) => data ?? []);
  const failed = results.find(({ error }) => error !== null && !isNone(error));
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (hits.length > 0) {
    return (
      <Facts
        of={hits.map(({ kind, name, path }) => [kind, path === undefined ? name : <Link href={path}>{name}</Link>])}
      />
    );
  }
  return results.some(({ isPending }) => isPending) ? <Loading /> : <Empty>{text.nothing}</Empty>;
}

export default function SearchPage() {
  const id = new URLSearchParams(useSearch()).get('q')?.trim();
  const { data: me } = useMe();
  const isAsked = id !== undefined && id !== '';
  return (
    <Page title={text.title} aside={isAsked ? text.aside(id) : undefined}>
      {isAsked ? me ? <Hits id={id} me={me} /> : <Loading /> : <Empty>{text.noText}</Empty>}
    </Page>
  );
}
