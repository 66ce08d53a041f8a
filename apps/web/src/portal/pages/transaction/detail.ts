import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { api, createActivityHeaders, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/use-submission.ts';

export type Detail = Schemas['TransactionDetail'];
export type Settings = Schemas['StatementSettings'];

const PENDING_POLL_MS = 2_000;

const detailKey = (transactionId: string): readonly string[] => ['transaction', transactionId];

/** Details of a transaction, polled until it ends. */
export const useDetail = (transactionId: string): UseQueryResult<Detail> =>
  useQuery<Detail>({
    queryKey: detailKey(transactionId),
    refetchInterval: ({ state: { data } }) => (data?.status === 'PENDING' ? PENDING_POLL_MS : false),
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        api.GET('/saleschannel-services/v1/transactions/{transactionId}/detail', {
          signal,
          headers: createActivityHeaders(asked),
          params: { path: { transactionId } },
        }),
      ),
  });

export const useUpdateStatement = (
  transactionId: string,
): UseMutationResult<Settings, Error, Schemas['StatementPatch']> => {
  const queries = useQueryClient();
  return useSubmission({
    mutationFn: (body: Schemas['StatementPatch']) =>
      unwrapData(
        api.PATCH('/saleschannel-services/v1/transactions/{transactionId}/statement', {
          params: { path: { transactionId } },
          body,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: detailKey(transactionId) }),
  });
};
