import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import { translate } from '../i18n/messages.ts';

const text = translate({
  missing: (label: string) => `${label} is required.`,
  incomplete: (label: string) => `${label} is not a complete date.`,
  noNumber: (label: string) => `${label} must be a number.`,
  noUrl: (label: string) => `${label} must be a URL that begins with https://.`,
  noEmail: (label: string) => `${label} must be an email address, such as name@example.com.`,
  format: (label: string) => `${label} does not have the expected format.`,
  tooLong: (label: string, most: number, length: number) =>
    `${label} must have at most ${most} characters. It has ${length}.`,
  tooLow: (label: string, least: string) => `${label} must be at least ${least}.`,
  tooHigh: (label: string, most: string) => `${label} must be at most ${most}.`,
  tooEarly: (label: string, first: string) => `${label} must not be before ${first}.`,
  tooLate: (label: string, last: string) => `${label} must not be after ${last}.`,
  wrong: (label: string) => `${label} is not valid.`,
  noneChosen: 'Choose at least one.',
});

/** State of a control. */
export interface ControlState {
  readonly label: string;
  readonly type: string;
  readonly validity: Partial<ValidityState>;
  readonly min?: string;
  readonly max?: string;
  /** Text of the control, for length checks. */
  readonly value?: string;
  readonly maxLength?: number | undefined;
  /** Message set by the control's component. */
  readonly custom?: string;
  /** Description of a valid value, in our wording. */
  readonly format?: string | undefined;
}

/** Characters as counted by the API, without surrounding spaces. */
const lengthOf = (value: string): number => [...value.trim()].length;

/** Error of a control as a sentence with its label. Undefined if valid. */
export function describeFault(control: ControlState): string | undefined {
  const { label, type, validity, min, max, value = '', maxLength, custom, format } = control;
  const isDate = type.startsWith('date');
  if (validity.badInput === true) return isDate ? text.incomplete(label) : text.noNumber(label);
  if (validity.valueMissing === true) return text.missing(label);
  if (validity.patternMismatch === true) return format ?? text.format(label);
  if (validity.typeMismatch === true) return type === 'email' ? text.noEmail(label) : text.noUrl(label);
  const length = maxLength === undefined ? 0 : lengthOf(value);
  if (maxLength !== undefined && length > maxLength) return text.tooLong(label, maxLength, length);
  if (validity.rangeUnderflow === true) return (isDate ? text.tooEarly : text.tooLow)(label, String(min));
  if (validity.rangeOverflow === true) return (isDate ? text.tooLate : text.tooHigh)(label, String(max));
  if (validity.customError === true && custom !== undefined) return custom;
  return validity.valid === false ? text.wrong(label) : undefined;
}

/** Error of a group without a ticked box. Undefined if a box is ticked. */
const describeGroupFault = (isChosen: boolean): string | undefined => (isChosen ? undefined : text.noneChosen);

/** Checks across fields: messages by field name. */
export type FormCheck = (form: FormData) => Iterable<readonly [name: string, words: string]>;

export interface FieldFault {
  readonly id: string;
  readonly label: string;
  readonly words: string;
}

interface FormFaults {
  /** Errors found before sending, by control id. */
  readonly found: ReadonlyMap<string, string>;
  /** Adds or removes an API error of a control. */
  report(id: string, fault: FieldFault | undefined): void;
}

const Faults = createContext<FormFaults | undefined>(undefined);
export const FormFaultsProvider = Faults.Provider;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const findLabel = (element: Element): string =>
  (isControl(element) ? element.labels?.[0] : element.querySelector('legend'))?.textContent ?? element.id;

function validateControl(control: Control): string | undefined {
  if (!control.willValidate) return undefined;
  const { type, validity, value, validationMessage: custom, dataset } = control;
  const { min, max } = control as HTMLInputElement;
  const maxLength = dataset['maxLength'] === undefined ? undefined : Number(dataset['maxLength']);
  const format = dataset['format'];
  return describeFault({ label: findLabel(control), type, validity, min, max, value, maxLength, custom, format });
}

const isRequiredGroup = (element: Element): boolean =>
  element instanceof HTMLFieldSetElement && element.dataset['required'] !== undefined;

/** All errors of the form, in field order. */
function inspect(form: HTMLFormElement, check: FormCheck | undefined): Map<string, string> {
  const byName = new Map(check?.(new FormData(form)));
  const found = new Map<string, string>();
  for (const element of form.elements) {
    let words: string | undefined;
    if (isControl(element)) words = validateControl(element) ?? byName.get(element.name);
    else if (isRequiredGroup(element)) words = describeGroupFault(element.querySelector('input:checked') !== null);
    if (words !== undefined) found.set(element.id, words);
  }
  return found;
}

/** Focuses a control, or the first box of a group. */
function focusOn(id: string): void {
  const element = document.getElementById(id);
  const first = element instanceof HTMLFieldSetElement ? element.querySelector('input') : null;
  (first ?? element)?.focus();
}

export interface FormInspection {
  readonly context: FormFaults;
  /** All errors shown at fields, in order. */
  readonly all: readonly FieldFault[];
  /** Whether the form may be sent. Otherwise shows errors and focuses the first invalid field. */
  validate(): boolean;
  /** After a change: clears errors of corrected fields. */
  recheck(): void;
  focusOn(id: string): void;
}

/** Validates a form before sending, and collects errors of the API. */
export function useFormFaults(form: RefObject<HTMLFormElement | null>, check: FormCheck | undefined): FormInspection {
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const [reported, setReported] = useState<ReadonlyMap<string, FieldFault>>(new Map());
  const wasSent = useRef(false);
  // Focus the first field that the API rejects, unless the user has continued typing.
  useEffect(() => {
    const [first] = reported.keys();
    if (!wasSent.current || first === undefined) return;
    wasSent.current = false;
    focusOn(first);
  }, [reported]);
  const [report] = useState<FormFaults['report']>(
    () => (id: string, fault: FieldFault | undefined) =>
      setReported((before) => {
        const rest = [...before].filter(([each]) => each !== id);
        return new Map(fault ? [...rest, [id, fault]] : rest);
      }),
  );
  const context = useMemo(() => ({ found, report }), [found, report]);
  const own = [...found].map(([id, words]) => {
    const element = form.current?.querySelector(`#${CSS.escape(id)}`);
    return { id, words, label: element ? findLabel(element) : id };
  });
  return {
    context,
    all: [...own, ...[...reported.values()].filter(({ id }) => !found.has(id))],
    validate() {
      const now = form.current ? inspect(form.current, check) : new Map<string, string>();
      setFound(now);
      const [first] = now.keys();
      if (first !== undefined) focusOn(first);
      wasSent.current = first === undefined;
      return first === undefined;
    },
    recheck() {
      wasSent.current = false;
      if (found.size === 0 || !form.current) return;
      const now = inspect(form.current, check);
      setFound(new Map([...now].filter(([id]) => found.has(id))));
    },
    focusOn,
  };
}

/** Error of a control: from validation, or else from the API. */
export function useFault(id: string, label: string, apiFault: string | undefined): string | undefined {
  const form = useContext(Faults);
  const report = form?.report;
  useLayoutEffect(() => {
    if (apiFault === undefined) return undefined;
    report?.(id, { id, label, words: apiFault });
    return () => report?.(id, undefined);
  }, [id, label, apiFault, report]);
  return form?.found.get(id) ?? apiFault;
}

/** Whether the control is in a form, which marks optional fields. */
export const useIsInForm = (): boolean => useContext(Faults) !== undefined;
