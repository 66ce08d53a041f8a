import { useId, type ComponentProps, type FormEvent, type ReactNode } from 'react';
import styles from './form.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** What the API says is wrong with it. */
  readonly fault?: string | undefined;
}

const describedBy = (id: string, { hint, fault }: Pick<FieldProps, 'hint' | 'fault'>): string | undefined => {
  const ids = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
};

function Frame({
  id,
  label,
  hint,
  fault,
  children,
}: FieldProps & { readonly id: string; readonly children: ReactNode }) {
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>{label}</label>
      {children}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles['fault']}>
          {fault}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A labelled input with its hint and its fault. */
export function Field({ label, hint, fault, ...input }: FieldProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <input
        {...input}
        id={id}
        className={styles['control']}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, { hint, fault })}
      />
    </Frame>
  );
}

/** A labelled choice among few. */
export function Choice({ label, hint, fault, ...select }: FieldProps & ComponentProps<'select'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <select
        {...select}
        id={id}
        className={styles['control']}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, { hint, fault })}
      />
    </Frame>
  );
}

/** A labelled text of several lines. It is as high as its text. */
export function Area({ label, hint, fault, ...area }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} fault={fault}>
      <textarea
        {...area}
        id={id}
        className={`${styles['control']} ${styles['area']}`}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, { hint, fault })}
      />
    </Frame>
  );
}

interface GroupProps {
  readonly legend: string;
  readonly fault?: string | undefined;
  readonly children: ReactNode;
}

/** Fields that belong together. */
export function Group({ legend, fault, children }: GroupProps) {
  return (
    <fieldset className={styles['group']}>
      <legend>{legend}</legend>
      {children}
      {fault !== undefined && <p className={styles['fault']}>{fault}</p>}
    </fieldset>
  );
}

interface FormProps {
  readonly children: ReactNode;
  readonly actions: ReactNode;
  /** Faults that belong to no field. */
  readonly faults?: readonly string[];
  onSubmit(form: FormData): void;
  /** After each change of a field: for forms that are kept. */
  onChange?(form: FormData): void;
}

/** A form that sends nothing by itself. Names of fields are names in the form data. */
export function Form({ children, actions, faults = [], onSubmit, onChange }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form
      className={styles['form']}
      onSubmit={submit}
      onChange={(event) => onChange?.(new FormData(event.currentTarget))}
    >
      {children}
      {faults.length > 0 && (
        <div role="alert">
          {faults.map((fault) => (
            <p key={fault} className={styles['fault']}>
              {fault}
            </p>
          ))}
        </div>
      )}
      <div className={styles['actions']}>{actions}</div>
    </form>
  );
}
