import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from 'wouter';
import { api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Facts, Page } from '../../../shared/ui/page.tsx';
import { Empty, Read } from '../../../shared/ui/state.tsx';
import { endpointPath } from '../../webhooks/endpoints.ts';

type Hit = Schemas['SearchResults']['results'][number];

const text = translate({
  title: 'Search',
  aside: (query: string) => `for ${query}`,
  TRANSACTION: 'Transaction',
  HOLDER_TRANSACTION: 'Transaction of the account holder',
  TRADER: 'Trader',
  PROPOSAL: 'Proposal',
  SALES_CHANNEL: 'Sales channel',
  PRODUCTION_FACILITY: 'Facility',
  SUPPLIER: 'Supplier',
  WEBHOOK_ENDPOINT: 'Webhook endpoint',
  nothing: 'No results that you have access to.',
  noText: 'Search above by any id, or by part of the name of a trader, facility, sales channel or account holder.',
});

/** Page of a result. Kinds without a page are only named. */
const paths: Readonly<Partial<Record<Hit['kind'], (id: string, name: string) => string>>> = {
  TRANSACTION: (id) => `/channel/transactions/${encodeURIComponent(id)}`,
  HOLDER_TRANSACTION: (id) => `/holder/transactions/${encodeURIComponent(id)}`,
  TRADER: (id) => `/channel/inventory?trader=${encodeURIComponent(id)}`,
  // The page lists open proposals, and above them the traders that resulted from accepted proposals.
  PROPOSAL: (_id, name) => `/channel/traders?name=${encodeURIComponent(name)}`,
  SALES_CHANNEL: (id) => `/holder/listings?channel=${encodeURIComponent(id)}`,
  WEBHOOK_ENDPOINT: endpointPath,
};

function toFact({ kind, id, name }: Hit) {
  const shown = name ?? id;
  const path = paths[kind]?.(id, shown);
  return [text[kind], path === undefined ? shown : <Link href={path}>{shown}</Link>] as const;
}

function Hits({ query }: { readonly query: string }) {
  const found = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => unwrapData(api.GET('/account-portal/search', { signal, params: { query: { q: query } } })),
  });
  return (
    <Read of={found}>
      {({ results }) =>
        results.length === 0 ? <Empty>{text.nothing}</Empty> : <Facts of={results.map((hit) => toFact(hit))} />
      }
    </Read>
  );
}

export default function SearchPage() {
  const query = new URLSearchParams(useSearch()).get('q')?.trim();
  const isAsked = query !== undefined && query !== '';
  return (
    <Page title={text.title} aside={isAsked ? text.aside(query) : undefined}>
      {isAsked ? <Hits key={query} query={query} /> : <Empty>{text.noText}</Empty>}
    </Page>
  );
}
