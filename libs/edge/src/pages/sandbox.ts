import type { Express, Response } from 'express';
import { html, type Html } from './html.ts';

/** Stands on top of every page of a sandbox. Its look is that of all pages. */
export const sandboxBand: Html = html`<aside class="sandbox" aria-label="Sandbox">
  <strong>Sandbox:</strong> nothing here is real
</aside>`;

/** Every answer of a sandbox says what it is. */
export function markAsSandbox(app: Express, isSandbox: boolean): void {
  app.locals['isSandbox'] = isSandbox;
  if (!isSandbox) return;
  app.use((_request, response, next) => {
    response.set('Sandbox', 'true');
    next();
  });
}

/** The band, for a page of a sandbox. */
export const bandOf = ({ app }: Response): Html | undefined =>
  app.locals['isSandbox'] === true ? sandboxBand : undefined;
