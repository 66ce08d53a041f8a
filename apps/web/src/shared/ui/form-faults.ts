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
import { wordsFor, wordsForGroup } from './validity.ts';

/** Checks that need more than one field: words by the name of the field they belong to. */
export type FormCheck = (form: FormData) => Iterable<readonly [name: string, words: string]>;

export interface FieldFault {
  readonly id: string;
  readonly label: string;
  readonly words: string;
}

interface FormFaults {
  /** What the form found wrong before it was sent, by the id of the control. */
  readonly found: ReadonlyMap<string, string>;
  /** A control tells what the API found wrong with it, and takes it back with undefined. */
  report(id: string, fault: FieldFault | undefined): void;
}

const Faults = createContext<FormFaults | undefined>(undefined);
export const FaultsOfForm = Faults.Provider;

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;

const labelOf = (element: Element): string =>
  (isControl(element) ? element.labels?.[0] : element.querySelector('legend'))?.textContent ?? element.id;

function wordsOf(control: Control): string | undefined {
  if (!control.willValidate) return undefined;
  const { type, validity, value, validationMessage: custom, dataset } = control;
  const { min, max } = control as HTMLInputElement;
  const maxLength = dataset['maxLength'] === undefined ? undefined : Number(dataset['maxLength']);
  const format = dataset['format'];
  return wordsFor({ label: labelOf(control), type, validity, min, max, value, maxLength, custom, format });
}

const isRequiredGroup = (element: Element): boolean =>
  element instanceof HTMLFieldSetElement && element.dataset['required'] !== undefined;

/** Everything wrong with a form as it is now, in the order of its fields. */
function inspect(form: HTMLFormElement, check: FormCheck | undefined): Map<string, string> {
  const byName = new Map(check?.(new FormData(form)));
  const found = new Map<string, string>();
  for (const element of form.elements) {
    let words: string | undefined;
    if (isControl(element)) words = wordsOf(element) ?? byName.get(element.name);
    else if (isRequiredGroup(element)) words = wordsForGroup(element.querySelector('input:checked') !== null);
    if (words !== undefined) found.set(element.id, words);
  }
  return found;
}

/** Of a group its first box. */
function focusOn(id: string): void {
  const element = document.getElementById(id);
  const first = element instanceof HTMLFieldSetElement ? element.querySelector('input') : null;
  (first ?? element)?.focus();
}

export interface FormInspection {
  readonly context: FormFaults;
  /** All faults that stand at fields, in their order. */
  readonly all: readonly FieldFault[];
  /** Whether the form may be sent. Otherwise its faults are shown, and the focus is on the first one. */
  isGood(): boolean;
  /** After a change: mended fields lose their fault. */
  recheck(): void;
  focusOn(id: string): void;
}

/** Finds what is wrong with a form, before it is sent and after the API refused it. */
export function useFormFaults(form: RefObject<HTMLFormElement | null>, check: FormCheck | undefined): FormInspection {
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const [reported, setReported] = useState<ReadonlyMap<string, FieldFault>>(new Map());
  const wasSent = useRef(false);
  // The first field that the API refuses gets the focus, unless somebody has gone on typing meanwhile.
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
    return { id, words, label: element ? labelOf(element) : id };
  });
  return {
    context,
    all: [...own, ...[...reported.values()].filter(({ id }) => !found.has(id))],
    isGood() {
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

/** What is wrong with a control of a form: what the form found, or else what the API says. */
export function useFault(id: string, label: string, said: string | undefined): string | undefined {
  const form = useContext(Faults);
  const report = form?.report;
  useLayoutEffect(() => {
    if (said === undefined) return undefined;
    report?.(id, { id, label, words: said });
    return () => report?.(id, undefined);
  }, [id, label, said, report]);
  return form?.found.get(id) ?? said;
}

/** Whether a control stands in a form, which says which of its fields may stay empty. */
export const useIsInForm = (): boolean => useContext(Faults) !== undefined;
