import { createContext, useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Failure } from './state.tsx';

const text = translate({ cancel: 'Cancel' });

/** Container for popups: a modal dialog covers everything outside it. */
export const PopupContainer = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, primary action last. */
  readonly actions: ReactNode;
  /** Makes room for tables. */
  readonly isWide?: boolean;
  /** Called on Escape. Undefined if the dialog must not be closed. */
  readonly onClose?: (() => void) | undefined;
}

/** A native modal dialog, which traps and restores the focus. */
export function Dialog({ title, children, actions, isWide = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`${styles['dialog']} ${isWide ? styles['wide'] : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Browsers let a page prevent closing only once: a second Escape closes the dialog.
      onClose={() => (onClose ? onClose() : dialog.current?.showModal())}
    >
      <PopupContainer value={dialog}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className={styles['actions']}>{actions}</div>
      </PopupContainer>
    </dialog>
  );
}

/** State of a change: a result of `useSubmission`. */
export interface ChangeState {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface ConfirmDialogProps extends Pick<DialogProps, 'title' | 'children'> {
  readonly look: 'primary' | 'danger';
  /** Label of the button. */
  readonly button: string;
  readonly cancel?: string;
  readonly change?: ChangeState;
  readonly isDisabled?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Confirms a change without fields. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, look, button, cancel = text.cancel, change, isDisabled, onConfirm, onClose } = props;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button look={look} disabled={isDisabled} busy={change?.isPending} onClick={onConfirm}>
            {button}
          </Button>
        </>
      }
    >
      {children}
      {change?.error && <Failure error={change.error} />}
    </Dialog>
  );
}
