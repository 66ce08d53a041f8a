import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../shared/api/client.ts';
import { isOfChannel, useMe } from '../me.ts';

/** How facilities are called, for those who may know it: by their code, which certificates have in their id. */
export function useFacilityNames(): (facilityId: string) => string {
  const { data: me } = useMe();
  const { data } = useQuery({
    queryKey: ['facilities'],
    enabled: me !== undefined && isOfChannel(me, 'PRODUCTIONFACILITY_VIEWER'),
    staleTime: 600_000,
    queryFn: async ({ signal }) => {
      const facilities = await dataOf(api.GET('/saleschannel-services/v1/production-facilities', { signal }));
      return new Map(facilities.map(({ id, code, name }) => [id, `${code} ${name}`]));
    },
  });
  return (facilityId) => data?.get(facilityId) ?? facilityId;
}
