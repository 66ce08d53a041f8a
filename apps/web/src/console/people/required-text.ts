import { textOf } from '../../shared/ui/form-text.ts';

/** The text of a field without which a form is not sent. The service says what is wrong with an empty one. */
export const requiredText = (form: FormData, name: string): string => textOf(form, name) ?? String();
