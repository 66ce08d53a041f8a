import { useState } from 'react';

/** What a tab keeps over a reload. Undefined: nothing, or nothing that can be read. */
export function readKept<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

/** Whoever uses this browser next finds nothing of what was typed. */
export const forgetKept = (): void => sessionStorage.clear();

/** A state of this tab that outlives a reload, and is kept before anything else happens. */
export function useKept<T>(name: string, initial: () => T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(() => readKept<T>(name) ?? initial());
  const set = (next: T): void => {
    keep(name, next);
    setValue(next);
  };
  return [value, set];
}
