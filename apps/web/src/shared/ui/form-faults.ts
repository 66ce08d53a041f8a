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
import { wordsFor } from './validity.ts';

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

const labelOf = (control: Control): string => control.labels?.[0]?.textContent ?? control.name;

function wordsOf(control: Control): string | undefined {
  if (!control.willValidate || control.validity.valid) return undefined;
  const { type, validity, validationMessage: custom, dataset } = control;
  const { min, max, maxLength } = control as HTMLInputElement;
  const format = dataset['format'];
  return wordsFor({ label: labelOf(control), type, validity, min, max, maxLength, custom, format });
}

/** Everything wrong with a form as it is now, in the order of its fields. */
function inspect(form: HTMLFormElement, check: FormCheck | undefined): Map<string, string> {
  const byName = new Map(check?.(new FormData(form)));
  const found = new Map<string, string>();
  for (const control of [...form.elements].filter(isControl)) {
    const words = wordsOf(control) ?? byName.get(control.name);
    if (words !== undefined) found.set(control.id, words);
  }
  return found;
}

const focusOn = (id: string): void => document.getElementById(id)?.focus();

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
    const control = form.current?.querySelector<Control>(`#${CSS.escape(id)}`);
    return { id, words, label: control ? labelOf(control) : id };
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
