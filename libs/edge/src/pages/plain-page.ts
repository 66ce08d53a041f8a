import type { Response } from 'express';
import { html, sandboxBanner, type Html } from './html.ts';

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
