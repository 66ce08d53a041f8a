import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { answerOf, api, dataOf, type Schemas } from '../../../shared/api/client.ts';
import type { Act } from '../../transfers/acts.ts';
import type { Sent } from '../../transfers/draft.ts';

type Task = Schemas['Task'];

const INVENTORY = '/saleschannel-services/v1/traders/{traderId}/inventory';

/** Sends a body as it was written, under its own key. */
export function startMove(act: Act, traderId: string, { body: text, key }: Sent): Promise<Task> {
  const headers = { 'Idempotency-Key': key };
  const options = { params: { path: { traderId } }, headers, bodySerializer: () => text };
  // The types want to see it. What is sent is the text, with each of its digits.
  const body: unknown = JSON.parse(text);
  if (act === 'trade') {
    return dataOf(api.POST(`${INVENTORY}/trade`, { ...options, body: body as Schemas['TradeRequest'] }));
  }
  if (act === 'retire') {
    return dataOf(api.POST(`${INVENTORY}/retire`, { ...options, body: body as Schemas['RetirementRequest'] }));
  }
  return dataOf(api.POST(`${INVENTORY}/offramp`, { ...options, body: body as Schemas['OfframpRequest'] }));
}

interface Watched {
  readonly task: Task;
  readonly waitMs: number;
}

const USUAL_WAIT_S = 2;
/** The answer comes when the task has ended, or after so long. */
const PREFERRED_WAIT = 'wait=10';

async function readTask(act: Act, traderId: string, taskId: string, signal: AbortSignal): Promise<Watched> {
  // Nobody does this: it keeps no session alive.
  const options = {
    signal,
    headers: { 'X-Portal': 'background', Prefer: PREFERRED_WAIT },
    params: { path: { traderId, taskId } },
  };
  const { data, headers } = await answerOf(
    act === 'trade'
      ? api.GET(`${INVENTORY}/trade/{taskId}`, options)
      : act === 'retire'
        ? api.GET(`${INVENTORY}/retire/{taskId}`, options)
        : api.GET(`${INVENTORY}/offramp/{taskId}`, options),
  );
  const waitS = headers.has('Preference-Applied') ? 0 : Number(headers.get('Retry-After') ?? USUAL_WAIT_S);
  return { task: data, waitMs: 1_000 * waitS };
}

/** A task, asked for again when the API says, until it has ended. */
export const useTask = (act: Act, traderId: string, taskId: string): UseQueryResult<Watched> =>
  useQuery({
    queryKey: ['task', act, traderId, taskId],
    queryFn: ({ signal }) => readTask(act, traderId, taskId, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.task.status === 'PENDING' ? Math.max(500, data.waitMs) : false),
    refetchIntervalInBackground: true,
  });
