import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { groupFaults } from '../api/problem.ts';
import { useSubmission } from '../api/queries.ts';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { Dialog, type ChangeState } from './dialog.tsx';
import { Form } from './form.tsx';
import { Failure } from './state.tsx';

const text = translate({ cancel: 'Cancel', close: 'Close', cannotBeUndone: 'This cannot be undone.' });

export interface DialogAction<T> {
  readonly title: string;
  /** Effects of the action, and the affected object. */
  readonly description: string;
  readonly isIrreversible?: boolean;
  /** Label of the button. */
  readonly button: string;
  readonly look?: 'primary' | 'danger';
  /** Pointers of body members that have a field. */
  readonly pointers?: readonly string[];
  fields?(faultAt: (pointer: string) => string | undefined): ReactNode;
  send(form: FormData): Promise<T>;
  /** Queries to reload. */
  readonly changes: readonly QueryKey[];
  /** Describes the result. Without it, the dialog closes. */
  renderResult?(answer: T): ReactNode;
  /** Called after success if there is no `renderResult`. */
  onSuccess?(answer: T): void;
}

/** Confirms an action: its effects, its fields, then its result. */
export function ActionDialog<T>({ act, onClose }: { readonly act: DialogAction<T>; onClose(): void }) {
  const queries = useQueryClient();
  const sending = useSubmission({
    mutationFn: (form: FormData) => act.send(form),
    // The response may hold a secret, so it leaves the cache at once.
    gcTime: 0,
    onSuccess: async (answer) => {
      await Promise.all(act.changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (act.renderResult) return;
      onClose();
      act.onSuccess?.(answer);
    },
  });
  if (sending.data !== undefined && act.renderResult) {
    const close = (
      <Button look="primary" onClick={onClose}>
        {text.close}
      </Button>
    );
    return (
      <Dialog title={act.title} onClose={onClose} actions={close}>
        <p role="status">{act.renderResult(sending.data)}</p>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={act.title}
      intro={
        <p>
          {act.description} {act.isIrreversible === true && text.cannotBeUndone}
        </p>
      }
      look={act.look}
      button={act.button}
      change={sending}
      pointers={act.pointers}
      onSubmit={sending.mutate}
      onClose={onClose}
    >
      {(faultAt) => act.fields?.(faultAt)}
    </FormDialog>
  );
}

interface FormDialogProps {
  readonly title: string;
  /** Shown above the form. */
  readonly intro?: ReactNode;
  readonly look?: 'primary' | 'danger' | undefined;
  /** Label of the button. */
  readonly button: string;
  readonly change: ChangeState;
  /** Pointers of body members that have a field. */
  readonly pointers?: readonly string[] | undefined;
  /** Fields, which show the errors of the API at their pointers. */
  readonly children: (faultAt: (pointer: string) => string | undefined) => ReactNode;
  onSubmit(form: FormData): void;
  onClose(): void;
}

/** A form in a dialog. Shows errors at the fields, or below them if they belong to no field. */
export function FormDialog(props: FormDialogProps) {
  const { title, intro, look = 'primary', button, change, pointers = [], children, onSubmit, onClose } = props;
  const { atFields, others } = groupFaults(change.error, pointers);
  return (
    <Dialog title={title} onClose={onClose} actions={null}>
      {intro}
      <Form
        onSubmit={onSubmit}
        faults={others}
        actions={
          <>
            <Button onClick={onClose}>{text.cancel}</Button>
            <Button type="submit" look={look} busy={change.isPending}>
              {button}
            </Button>
          </>
        }
      >
        {children((pointer) => atFields.get(pointer))}
        {change.error && atFields.size + others.length === 0 && <Failure error={change.error} />}
      </Form>
    </Dialog>
  );
}
