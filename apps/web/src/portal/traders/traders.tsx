import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapData, unwrapPage, type Schemas } from '../../shared/api/client.ts';
import { shortenId } from '../../shared/format/serials.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Combobox } from '../../shared/ui/combobox.tsx';
import { toApiOrder, type Sort } from '../../shared/ui/filters.ts';
import type { ListPage } from '../../shared/ui/row-source.ts';
import { hasChannelRole, useMe } from '../me.ts';

const text = translate({ trader: 'Trader', nothing: 'No matching traders.' });

export type Trader = Schemas['Trader'];

/** Traders whose name contains the text. */
export function fetchTraders(
  { offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal },
  contains?: string,
  sort?: Sort,
): Promise<ListPage<Trader>> {
  const query = {
    $limit: limit,
    $offset: offset,
    ...(contains === undefined ? {} : { $filter: { name: { contains } } }),
    ...toApiOrder(sort),
  };
  return unwrapPage(api.GET('/saleschannel-services/v1/traders', { signal, params: { query } }));
}

const OPTIONS_AT_MOST = 50;

/** Traders to choose from. */
export const useTradersLike = (text: string): UseQueryResult<readonly Trader[]> =>
  useQuery({
    queryKey: ['traders', 'like', text],
    queryFn: async ({ signal }) =>
      (await fetchTraders({ offset: 0, limit: OPTIONS_AT_MOST, signal }, text === '' ? undefined : text)).rows,
    placeholderData: (before) => before,
  });

/** One trader. @param id undefined disables the query */
export const useTrader = (id: string | undefined): UseQueryResult<Trader> =>
  useQuery({
    queryKey: ['trader', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/traders/{traderId}', { signal, params: { path: { traderId: String(id) } } }),
      ),
  });

/** Limit of the lookup. Further traders are shown by id. */
const NAMED_AT_MOST = 1_000;

/** Names traders, by short ids for users without the role. Empty texts until roles and names are loaded. */
export function useTraderNames(): (traderId: string) => string {
  const { data: me } = useMe();
  const { data, isLoading } = useQuery({
    queryKey: ['traders', 'names'],
    enabled: me !== undefined && hasChannelRole(me, 'TRADER_VIEWER', 'TRADER_ADMINISTRATOR'),
    staleTime: 300_000,
    queryFn: async ({ signal }) => {
      const { rows } = await fetchTraders({ offset: 0, limit: NAMED_AT_MOST, signal });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  });
  const isKnown = me !== undefined && !isLoading;
  return (traderId) => (isKnown ? (data?.get(traderId) ?? shortenId(traderId)) : String());
}

export type Proposal = Schemas['TraderOnboardingProposal'];

/** Pending proposals. */
export const useProposals = (): UseQueryResult<Proposal[]> =>
  useQuery({
    queryKey: ['proposals'],
    queryFn: ({ signal }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/trader-onboarding-proposals', {
          signal,
          params: { query: { $limit: 1000, $filter: { status: { eq: 'PENDING' } } } },
        }),
      ),
  });

interface TraderChoiceProps {
  readonly label?: string;
  readonly traderId: string | undefined;
  readonly isRequired?: boolean;
  readonly fault?: string | undefined;
  onChoose(traderId: string | undefined): void;
}

/** Chooses a trader of the sales channel by the start of its name. */
export function TraderChoice({ label = text.trader, traderId, isRequired, fault, onChoose }: TraderChoiceProps) {
  const [typed, setTyped] = useState('');
  const offered = useTradersLike(typed);
  const chosen = useTrader(traderId);
  const options = (offered.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Combobox
      label={label}
      isRequired={isRequired}
      fault={fault}
      options={options}
      value={chosen.data && { value: chosen.data.id, label: chosen.data.name }}
      onChoose={(option) => onChoose(option?.value)}
      onSearch={setTyped}
      nothing={text.nothing}
    />
  );
}
