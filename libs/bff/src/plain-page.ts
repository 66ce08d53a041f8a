import type { Response } from 'express';

interface Link {
  readonly href: string;
  readonly text: string;
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

const partOf = (part: string | Link): string =>
  typeof part === 'string'
    ? `<p>${escaped(part)}</p>`
    : `<p><a href="${escaped(part.href)}">${escaped(part.text)}</a></p>`;

/** A small page without script or style. @param next a path to which it leads by itself */
export function sendPlainPage(
  response: Response,
  status: number,
  title: string,
  parts: readonly (string | Link)[],
  next?: string,
): void {
  const refresh = next === undefined ? '' : `<meta http-equiv="refresh" content="0;url=${escaped(next)}">`;
  response
    .status(status)
    .set({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width">${refresh}<title>${escaped(title)}</title></head>` +
        `<body><main><h1>${escaped(title)}</h1>${parts.map(partOf).join('')}</main></body></html>`,
    );
}
