/** Trimmed text of a field. Undefined if empty. */
export function readText(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** Text of a required field. The service reports empty values. */
export const readRequiredText = (form: FormData, name: string): string => readText(form, name) ?? String();
