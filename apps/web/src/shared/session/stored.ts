import { useState } from 'react';

/** Value that this tab keeps across reloads. Undefined if missing or unreadable. */
export function readStored<T>(name: string): T | undefined {
  const text = sessionStorage.getItem(name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  if (value === undefined) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify(value));
}

/** Deletes all input, so that the next user of this browser cannot see it. */
export const clearStored = (): void => sessionStorage.clear();

/** State that survives a reload. Stored before React renders again. */
export function useStoredState<T>(name: string, initial: () => T): readonly [T, (next: T) => void] {
  const [value, setValue] = useState(() => readStored<T>(name) ?? initial());
  const set = (next: T): void => {
    writeStored(name, next);
    setValue(next);
  };
  return [value, set];
}
