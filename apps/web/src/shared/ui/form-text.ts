/** The text of a field, without spaces around it. Undefined when it is empty. */
export function textOf(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : text;
}

/** The text of a field without which a form is not sent. The service says what is wrong with an empty one. */
export const requiredText = (form: FormData, name: string): string => textOf(form, name) ?? String();
