import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSubmission } from '../api/use-submission.ts';
import { faultsOf } from '../api/problem.ts';
import { translated } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { Failure } from './state.tsx';

const text = translated({
  cancel: 'Cancel',
  close: 'Close',
  cannotBeUndone: 'This cannot be undone.',
});

export interface Act<T> {
  readonly title: string;
  /** What it does, and to whom. */
  readonly why: string;
  readonly isIrreversible?: boolean;
  /** The act, on its button. */
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** Members of the body that have fields of their own, as pointers. */
  readonly pointers?: readonly string[];
  fields?(faultAt: (pointer: string) => string | undefined): ReactNode;
  send(form: FormData): Promise<T>;
  /** What has changed by it. */
  readonly changes: readonly QueryKey[];
  /** What is said of the answer. Without it the dialog closes by itself. */
  done?(answer: T): ReactNode;
  /** After it was done, when nothing is said of it. */
  after?(answer: T): void;
}

/** An act that is asked about before it is done: what it will do, what it needs to know, and what became of it. */
export function ActDialog<T>({ act, onClose }: { readonly act: Act<T>; onClose(): void }) {
  const queries = useQueryClient();
  const sending = useSubmission({
    mutationFn: (form: FormData) => act.send(form),
    // An answer may hold a secret, which is not kept longer than it is looked at.
    gcTime: 0,
    onSuccess: async (answer) => {
      await Promise.all(act.changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (act.done) return;
      onClose();
      act.after?.(answer);
    },
  });
  if (sending.data !== undefined && act.done) {
    const close = (
      <Button look="primary" onClick={onClose}>
        {text.close}
      </Button>
    );
    return (
      <Dialog title={act.title} onClose={onClose} actions={close}>
        <p role="status">{act.done(sending.data)}</p>
      </Dialog>
    );
  }
  const { atFields, others } = faultsOf(sending.error, act.pointers ?? []);
  return (
    <Dialog title={act.title} onClose={onClose} actions={null}>
      <p>
        {act.why} {act.isIrreversible === true && text.cannotBeUndone}
      </p>
      <Form
        onSubmit={(form) => sending.mutate(form)}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look={act.look ?? 'primary'} busy={sending.isPending}>
              {act.button}
            </Button>
          </>
        }
      >
        {act.fields?.((pointer) => atFields.get(pointer))}
        {sending.error && atFields.size + others.length === 0 && <Failure error={sending.error} />}
      </Form>
    </Dialog>
  );
}
