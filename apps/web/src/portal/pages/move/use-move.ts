import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { unwrapResponse, api, unwrapData, type Schemas } from '../../../shared/api/client.ts';
import { ApiError } from '../../../shared/api/problem.ts';
import { useSubmission } from '../../../shared/api/queries.ts';
import { writeStored, useStoredState } from '../../../shared/session/session.ts';
import {
  draftKey,
  createDraft,
  selectionKey,
  type Draft,
  type Sent,
  type TransferKind,
} from '../../transfers/transfers.ts';
import { isRejection } from './fields.ts';

export interface TransferState {
  readonly draft: Draft;
  readonly isPending: boolean;
  readonly error: Error | null;
  change(changes: Partial<Pick<Draft, 'fields' | 'buyerId'>>): void;
  send(sent: Sent): void;
  /** Clears the rejection before the next review. */
  clearError(): void;
  forget(): void;
}

/** Whether this attempt had no effect: it needs a sign-in first, or never left the browser. */
const wasNotSent = (error: unknown): boolean => error instanceof ApiError && (error.status === 401 || error.isOffline);

/**
 * State of one transfer form until its task exists. The request is stored before it is sent, so after a reload, a lost
 * response or an ended session the same request is sent again under the same Idempotency-Key and counts once.
 */
export function useTransferState(act: TransferKind, traderId: string): TransferState {
  const [draft, setDraft] = useStoredState<Draft>(draftKey(act, traderId), createDraft);
  const queries = useQueryClient();
  const start = useSubmission({
    mutationFn: ({ sent }: { readonly before: Draft; readonly sent: Sent }) => startTransfer(act, traderId, sent),
    // Called even after the page is closed.
    onSuccess({ taskId }, { before, sent }) {
      writeStored(selectionKey(traderId), undefined);
      setDraft({ ...before, sent: { ...sent, taskId } });
    },
    onError(error, { before }) {
      if (isRejection(error)) {
        setDraft({ ...before, sent: undefined });
        // The plan is outdated.
        void queries.invalidateQueries({ queryKey: ['plan'] });
        // An earlier attempt of this request may have succeeded, so keep it.
      } else if (wasNotSent(error)) setDraft(before);
    },
  });
  return {
    draft,
    isPending: start.isPending,
    error: start.error,
    change: (changes) => setDraft({ ...draft, ...changes }),
    send(sent) {
      setDraft({ ...draft, sent });
      start.mutate({ before: draft, sent });
    },
    clearError: start.reset,
    forget() {
      start.reset();
      setDraft(createDraft());
    },
  };
}

type Task = Schemas['Task'];

const INVENTORY = '/saleschannel-services/v1/traders/{traderId}/inventory';

/** Sends a body as stored, under its own key. */
function startTransfer(act: TransferKind, traderId: string, { body: text, key }: Sent): Promise<Task> {
  const headers = { 'Idempotency-Key': key };
  const options = { params: { path: { traderId } }, headers, bodySerializer: () => text };
  // The client's types require an object. The stored text is sent, with every digit.
  const body: unknown = JSON.parse(text);
  if (act === 'trade') {
    return unwrapData(api.POST(`${INVENTORY}/trade`, { ...options, body: body as Schemas['TradeRequest'] }));
  }
  if (act === 'retire') {
    return unwrapData(api.POST(`${INVENTORY}/retire`, { ...options, body: body as Schemas['RetirementRequest'] }));
  }
  return unwrapData(api.POST(`${INVENTORY}/offramp`, { ...options, body: body as Schemas['OfframpRequest'] }));
}

interface PolledTask {
  readonly task: Task;
  readonly waitMs: number;
}

const DEFAULT_WAIT_SECONDS = 2;
/** Long poll: the response arrives when the task ends, or after ten seconds. */
const PREFERRED_WAIT = 'wait=10';

async function readTask(act: TransferKind, traderId: string, taskId: string, signal: AbortSignal): Promise<PolledTask> {
  // Background read: it must not extend the session.
  const options = {
    signal,
    headers: { 'X-Portal': 'background', Prefer: PREFERRED_WAIT },
    params: { path: { traderId, taskId } },
  };
  const { data, headers } = await unwrapResponse(
    act === 'trade'
      ? api.GET(`${INVENTORY}/trade/{taskId}`, options)
      : act === 'retire'
        ? api.GET(`${INVENTORY}/retire/{taskId}`, options)
        : api.GET(`${INVENTORY}/offramp/{taskId}`, options),
  );
  const waitS = headers.has('Preference-Applied') ? 0 : Number(headers.get('Retry-After') ?? DEFAULT_WAIT_SECONDS);
  return { task: data, waitMs: 1_000 * waitS };
}

/** A task, polled as the API advises until it ends. */
export const useTask = (act: TransferKind, traderId: string, taskId: string): UseQueryResult<PolledTask> =>
  useQuery({
    queryKey: ['task', act, traderId, taskId],
    queryFn: ({ signal }) => readTask(act, traderId, taskId, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.task.status === 'PENDING' ? Math.max(500, data.waitMs) : false),
    refetchIntervalInBackground: true,
  });
