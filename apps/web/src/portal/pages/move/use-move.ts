import { useMutation, useQueryClient } from '@tanstack/react-query';
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

const isSignInWanted = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/**
 * One form from its first character to its task. What is sent is kept, with its key, before it leaves: after a reload,
 * a lost answer or the end of a session the very same is sent again, and counts once.
 */
export function useMove(act: Act, traderId: string): Move {
  const [draft, setDraft] = useKept<Draft>(draftName(act, traderId), newDraft);
  const queries = useQueryClient();
  const start = useMutation({
    mutationFn: ({ before, sent }: { readonly before: Draft; readonly sent: Sent }) =>
      startMove(act, traderId, before.key, sent.body),
    // These are called even when nobody looks at the page any more.
    onSuccess({ taskId }, { before, sent }) {
      keep(selectionName(traderId), undefined);
      setDraft({ ...before, sent: { ...sent, taskId } });
    },
    onError(error, { before }) {
      const unsent = { ...before, sent: undefined };
      if (isRefusal(error)) {
        setDraft({ ...unsent, key: crypto.randomUUID() });
        // What was planned did not hold.
        void queries.invalidateQueries({ queryKey: ['plan'] });
      } else if (isSignInWanted(error)) setDraft(unsent);
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
