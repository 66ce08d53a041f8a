import { createContext, useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import styles from './dialog.module.css';

/** Where lists that open over the page belong: a modal dialog covers everything that is not within it. */
export const Layer = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Buttons, the one that does something last. */
  readonly actions: ReactNode;
  /** Room for tables. */
  readonly isWide?: boolean;
  /** By Escape. Undefined: it cannot be closed so. */
  readonly onClose?: (() => void) | undefined;
}

/** A native modal dialog: what lies behind it is out of reach, and focus comes back to where it was. */
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
      // A browser lets a page hold it open only once: pressed again, Escape closes it without asking.
      onClose={() => (onClose ? onClose() : dialog.current?.showModal())}
    >
      <Layer value={dialog}>
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className={styles['actions']}>{actions}</div>
      </Layer>
    </dialog>
  );
}
