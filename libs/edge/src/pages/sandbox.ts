import type { Express, Response } from 'express';
import { html, type Html } from './html.ts';

/** Banner of every page of a sandbox. */
export const sandboxBand: Html = html`<aside class="sandbox" aria-label="Sandbox">
  <strong>Sandbox:</strong> nothing here is real
</aside>`;

/** Marks every answer of a sandbox with a header. */
export function markAsSandbox(app: Express, isSandbox: boolean): void {
  app.locals['isSandbox'] = isSandbox;
  if (!isSandbox) return;
  app.use((_request, response, next) => {
    response.set('Sandbox', 'true');
    next();
  });
}

/** Returns the banner for a page of a sandbox. */
export const bandOf = ({ app }: Response): Html | undefined =>
  app.locals['isSandbox'] === true ? sandboxBand : undefined;
