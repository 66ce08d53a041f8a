import { useQueryClient } from '@tanstack/react-query';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { ApiError } from '../../../shared/api/problem.ts';
import { keep, useKept } from '../../../shared/session/kept.ts';
import type { Act } from '../../transfers/acts.ts';
import { draftName, newDraft, type Draft, type Sent } from '../../transfers/draft.ts';
import { selectionName } from '../../transfers/selected.ts';
import { isRefusal } from './faults.ts';
import { startMove } from './requests.ts';

export interface Move {
  readonly draft: Draft;
  readonly isPending: boolean;
  readonly error: Error | null;
  change(changes: Partial<Pick<Draft, 'fields' | 'buyerId'>>): void;
  send(sent: Sent): void;
  /** What was refused is looked at again. */
  clearError(): void;
  forget(): void;
}

/** Whether this sending did nothing: it waits for a sign-in, or never left the browser. */
const wasNotSent = (error: unknown): boolean => error instanceof ApiError && (error.status === 401 || error.isOffline);

/**
 * One form, from its first character to its task. The request is kept before it is sent: after a reload, a lost answer
 * or the end of a session the very same is sent again, under the same Idempotency-Key, and counts once.
 */
export function useMove(act: Act, traderId: string): Move {
  const [draft, setDraft] = useKept<Draft>(draftName(act, traderId), newDraft);
  const queries = useQueryClient();
  const start = useSubmission({
    mutationFn: ({ sent }: { readonly before: Draft; readonly sent: Sent }) => startMove(act, traderId, sent),
    // These are called even when nobody looks at the page any more.
    onSuccess({ taskId }, { before, sent }) {
      keep(selectionName(traderId), undefined);
      setDraft({ ...before, sent: { ...sent, taskId } });
    },
    onError(error, { before }) {
      if (isRefusal(error)) {
        setDraft({ ...before, sent: undefined });
        // The plan no longer holds.
        void queries.invalidateQueries({ queryKey: ['plan'] });
        // An earlier sending of the same request may have lost its answer: then it stays.
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
      setDraft(newDraft());
    },
  };
}
