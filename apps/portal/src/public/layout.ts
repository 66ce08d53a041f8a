import { html, sandboxBanner, type Html } from '@saleschannel/edge/pages';

export interface PageParts {
  readonly title: string;
  readonly main: Html;
  /** Canonical address, for a page with several. */
  readonly canonical?: string;
  /** Whether the page has the script that checks signatures. */
  readonly hasScript?: boolean;
}

export interface FileAddresses {
  readonly style: string;
  readonly script: string;
}

export interface PageSettings extends FileAddresses {
  readonly isSandbox: boolean;
}

/** Renders a public page, which works without script. @param notice text above the content */
export function renderPage(
  { style, script, isSandbox }: PageSettings,
  { title, main, canonical, hasScript }: PageParts,
  notice?: string,
): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${style}" />
        ${canonical === undefined ? undefined : html`<link rel="canonical" href="${canonical}" />`}
        ${hasScript ? html`<script type="module" src="${script}"></script>` : undefined}
      </head>
      <body>
        ${isSandbox ? sandboxBanner : undefined}
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <nav aria-label="Public register">
            <a href="/register">Register of retirements</a>
            <a href="/verify">Verify</a>
          </nav>
        </header>
        <main id="main">
          ${notice === undefined ? undefined : html`<p class="wait" role="status">${notice}</p>`}${main}
        </main>
      </body>
    </html>`.toString();
}

export const wrapTable = (label: string, table: Html): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${label}">${table}</div>`;
