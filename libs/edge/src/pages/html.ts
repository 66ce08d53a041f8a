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

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Drops the indentation of a template, once. What is put in between is never looked at: it may be megabytes. */
function compact(strings: TemplateStringsArray): readonly string[] {
  const known = compacted.get(strings);
  if (known) return known;
  const markup = strings.map((piece) => piece.replaceAll(/\n +/g, '\n').replaceAll('>\n<', '><'));
  compacted.set(strings, markup);
  return markup;
}

/** Escapes the parts, for elements and for attributes in quotes. Undefined becomes nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: compact(strings) }, ...parts.map(markupOf)));
