const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

/** Markup that is safe as it is. Only `html` makes it. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = string | number | Html | undefined | readonly Part[];

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(markupOf).join('');
}

/** Text that is put in between is escaped, for elements and for attributes in quotes. Undefined is nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(markupOf)));
