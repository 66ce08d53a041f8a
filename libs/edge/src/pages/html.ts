import type { Response } from 'express';

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

/** Safe markup. Only `html` creates it. */
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

function toMarkup(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return part.map(toMarkup).join('');
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Removes the indentation of a template, once. Inserted parts are not scanned: they may have megabytes. */
function compact(strings: TemplateStringsArray): readonly string[] {
  const known = compacted.get(strings);
  if (known) return known;
  const markup = strings.map((piece) => piece.replaceAll(/\n +/g, '\n').replaceAll('>\n<', '><'));
  compacted.set(strings, markup);
  return markup;
}

/** Creates markup with escaped parts, for elements and quoted attributes. Undefined is omitted. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: compact(strings) }, ...parts.map(toMarkup)));

export const sandboxBanner: Html = html`<aside class="sandbox" aria-label="Sandbox">
  <strong>Sandbox:</strong> nothing here is real
</aside>`;

interface Link {
  readonly href: string;
  readonly text: string;
}

const renderPart = (part: string | Link): Html =>
  typeof part === 'string' ? html`<p>${part}</p>` : html`<p><a href="${part.href}">${part.text}</a></p>`;

/** Sends a small page without script or style. @param next path of an automatic redirect */
export function sendPlainPage(
  response: Response,
  status: number,
  title: string,
  parts: readonly (string | Link)[],
  next?: string,
): void {
  const refresh = next === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${next}" />`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        ${refresh}
        <title>${title}</title>
      </head>
      <body>
        ${response.app.locals['isSandbox'] === true ? sandboxBanner : undefined}
        <main>
          <h1>${title}</h1>
          ${parts.map(renderPart)}
        </main>
      </body>
    </html>`;
  response
    .status(status)
    .set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    .send(page.toString());
}
