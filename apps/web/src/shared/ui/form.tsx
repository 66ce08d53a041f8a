import {
  createContext,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react';
import { translate } from '../i18n/messages.ts';
import { Button } from './button.tsx';
import { PopupContainer } from './dialog.tsx';
import {
  FormFaultsProvider,
  useFault,
  useFormFaults,
  useIsInForm,
  type FieldFault,
  type FormCheck,
} from './form-faults.ts';
import styles from './form.module.css';

const text = translate({ optional: 'optional', problems: (count: number) => `${count} fields need correcting` });

interface SwitchProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly busy?: boolean;
  onChange(isOn: boolean): void;
}

/** A switch that takes effect immediately. */
export function Switch({ label, isOn, busy = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <p className={styles['switch']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        disabled={busy}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </p>
  );
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Error reported by the API. */
  readonly fault?: string | undefined;
}

const describedBy = (id: string, { hint, fault }: Omit<FieldProps, 'label'>): string | undefined => {
  const ids = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return ids.length > 0 ? ids.join(' ') : undefined;
};

interface FrameProps extends FieldProps {
  readonly id: string;
  /** Whether the field may be empty. Undefined shows no mark, for controls that always have a value. */
  readonly isOptional?: boolean | undefined;
  readonly children: ReactNode;
}

/** A control with label, hint and error. */
export function Frame({ id, label, hint, fault, isOptional, children }: FrameProps) {
  const isInForm = useIsInForm();
  return (
    <div className={styles['field']}>
      <div className={styles['label']}>
        <label htmlFor={id}>{label}</label>
        {isInForm && isOptional === true && <span className={styles['optional']}>{text.optional}</span>}
        {isInForm && isOptional === false && <span className={styles['required']} aria-hidden="true" />}
      </div>
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

/** Ids and ARIA attributes of a control. */
export function useControl({ label, hint, fault: apiFault }: FieldProps) {
  const id = useId();
  const fault = useFault(id, label, apiFault);
  const control = {
    id,
    className: styles['control'],
    'aria-invalid': fault !== undefined,
    'aria-describedby': describedBy(id, { hint, fault }),
  };
  return { control, frame: { id, label, hint, fault } };
}

interface InputProps extends FieldProps, ComponentProps<'input'> {
  /** Describes a value that matches the pattern, in a sentence. */
  readonly format?: string | undefined;
}

/**
 * A labelled input with hint and error. Exceeding `maxLength` is an error, whereas the browser's attribute would
 * truncate pasted text silently.
 */
export function Field({ label, hint, fault, format, maxLength, ...input }: InputProps) {
  const { control, frame } = useControl({ label, hint, fault });
  return (
    <Frame {...frame} isOptional={input.required !== true}>
      <input {...input} {...control} data-format={format} data-max-length={maxLength} />
    </Frame>
  );
}

/** A labelled select. */
export function Select({ label, hint, fault, ...select }: FieldProps & ComponentProps<'select'>) {
  const { control, frame } = useControl({ label, hint, fault });
  return (
    <Frame {...frame} isOptional={select.required === true ? false : undefined}>
      <select {...select} {...control} />
    </Frame>
  );
}

/** A labelled textarea that grows with its text. Exceeding `maxLength` is an error. */
export function TextArea({ label, hint, fault, maxLength, ...area }: FieldProps & ComponentProps<'textarea'>) {
  const { control, frame } = useControl({ label, hint, fault });
  return (
    <Frame {...frame} isOptional={area.required !== true}>
      <textarea
        {...area}
        {...control}
        className={`${styles['control']} ${styles['area']}`}
        data-max-length={maxLength}
      />
    </Frame>
  );
}

interface GroupProps {
  readonly legend: string;
  /** Error reported by the API. */
  readonly fault?: string | undefined;
  /** Whether at least one box must be ticked. */
  readonly isRequired?: boolean;
  readonly children: ReactNode;
}

/** A group of related fields. */
export function Group({ legend, fault: apiFault, isRequired = false, children }: GroupProps) {
  const id = useId();
  const fault = useFault(id, legend, apiFault);
  return (
    <fieldset
      id={id}
      className={styles['group']}
      aria-describedby={describedBy(id, { fault })}
      data-required={isRequired || undefined}
    >
      <legend>
        {legend}
        {isRequired && <span className={styles['required']} aria-hidden="true" />}
      </legend>
      {children}
      {fault !== undefined && (
        <p id={`${id}-fault`} className={styles['fault']}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

interface ProblemsProps {
  readonly atFields: readonly FieldFault[];
  /** Errors that belong to no field. */
  readonly others: readonly string[];
  focusOn(id: string): void;
}

/** Summary of errors with links to the fields. A single error is shown only at its field, which has the focus. */
function Problems({ atFields, others, focusOn }: ProblemsProps) {
  const listed = atFields.length > 1 ? atFields : [];
  if (listed.length + others.length === 0) return null;
  return (
    <div role="alert" className={styles['problems']}>
      {others.map((fault) => (
        <p key={fault} className={styles['fault']}>
          {fault}
        </p>
      ))}
      {listed.length > 0 && <p className={styles['fault']}>{text.problems(listed.length)}</p>}
      {listed.length > 0 && (
        <ul>
          {listed.map(({ id, label, words }) => (
            <li key={id}>
              <Button look="quiet" title={words} onClick={() => focusOn(id)}>
                {label}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const FormChange = createContext<() => void>(() => undefined);

/** Returns the callback for controls that change without an event of their own. */
export const useFormChange = (): (() => void) => useContext(FormChange);

interface FormProps {
  readonly children: ReactNode;
  readonly actions: ReactNode;
  /** Errors that belong to no field. */
  readonly faults?: readonly string[];
  /** Additional check before sending. */
  readonly check?: FormCheck | undefined;
  onSubmit(form: FormData): void;
  /** Called after each change, for forms that are stored. */
  onChange?(form: FormData): void;
}

/**
 * A form that validates its fields before `onSubmit` and shows errors at the fields, in our wording instead of the
 * browser's. Field names are the names in the form data.
 */
export function Form({ children, actions, faults = [], check, onSubmit, onChange }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const isInDialog = useContext(PopupContainer) !== undefined;
  const { context, all, validate, recheck, focusOn } = useFormFaults(form, check);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (validate()) onSubmit(new FormData(event.currentTarget));
  };
  const change = (): void => {
    recheck();
    if (form.current) onChange?.(new FormData(form.current));
  };
  const latest = useRef(change);
  useLayoutEffect(() => void (latest.current = change));
  const changed = useCallback(() => latest.current(), []);
  return (
    <FormFaultsProvider value={context}>
      <form ref={form} noValidate className={styles['form']} onSubmit={submit} onChange={change}>
        <FormChange value={changed}>{children}</FormChange>
        <Problems atFields={all} others={faults} focusOn={focusOn} />
        <div className={`${styles['actions']} ${isInDialog ? styles['inDialog'] : ''}`}>{actions}</div>
      </form>
    </FormFaultsProvider>
  );
}
