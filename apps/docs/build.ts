// node apps/docs/build.ts
// Builds the documentation site to dist: all documents, contracts and protos of the repository, with a search that
// needs no external service. Documents stay in place and readable in the repository.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import starlight from '@astrojs/starlight';
import { build } from 'astro';
import { passthroughImageService } from 'astro/config';
import { createAsyncApiPage, createOperationsPage } from './src/generated-pages.ts';
import { compressTexts, makeScriptsExternal } from './src/post-process.ts';
import { buildSidebar } from './src/sidebar.ts';
import { redirects, root, Site, type Page } from './src/sources.ts';

/** Path of the site at the gateway. */
const BASE = '/docs';
const OLD_LINKS = `if (location.hash.startsWith('#/')) location.replace('${BASE}/api' + location.hash);`;
/** Contracts for download, with their addresses below `/docs/files/`. */
const CONTRACTS: readonly (readonly [file: string, address: string])[] = [
  ['docs/integrate/asyncapi.yaml', 'docs/asyncapi.yaml'],
  ['apps/gateway/openapi/openapi.yaml', 'apps/gateway/openapi/openapi.yaml'],
];

process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
// An image is built without tools/: its Dockerfile puts the generated pages in place.
const generator = join(root, 'tools/generate.ts');
if (existsSync(generator)) execFileSync(process.execPath, [generator, '--untracked'], { stdio: 'inherit' });
const folder = import.meta.dirname;
const work = join(folder, `.generated-${process.pid}`);
const draft = join(work, 'dist');
const startedAt = new Date();

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const formatFrontMatter = ({ slug, title, source }: Page): string =>
  `---\ntitle: ${JSON.stringify(title)}\neditUrl: false\nslug: ${JSON.stringify(slug === '' ? 'index' : slug)}\n` +
  `# Generated from ${source}\n---\n`;

function writeSources(site: Site): void {
  for (const page of site.pages) {
    const name = page.slug === '' ? 'index' : page.slug;
    write(join(work, 'src/content/docs', `${name}.md`), formatFrontMatter(page) + page.markdown);
  }
  cpSync(join(folder, 'src/content.config.ts'), join(work, 'src/content.config.ts'));
  cpSync(join(folder, 'public'), join(work, 'public'), { recursive: true });
  for (const [file, address] of [...CONTRACTS, ...[...site.files].map((each) => [each, each] as const)])
    cpSync(join(root, file), join(work, 'public/files', address), { recursive: true });
}

/** Serves the previous site until the new one is complete. */
function replaceSite(): void {
  const target = join(folder, 'dist');
  const old = join(work, 'old');
  rmSync(old, { recursive: true, force: true });
  try {
    renameSync(target, old);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  renameSync(draft, target);
}

try {
  const site = new Site([createOperationsPage(), createAsyncApiPage()]);
  writeSources(site);
  await build({
    configFile: false,
    root: work,
    srcDir: join(work, 'src'),
    publicDir: join(work, 'public'),
    outDir: draft,
    cacheDir: join(work, 'cache'),
    base: BASE,
    redirects: Object.fromEntries(Object.entries(redirects).map(([from, to]) => [`/${from}`, `${BASE}/${to}/`])),
    logLevel: 'warn',
    image: { service: passthroughImageService() },
    integrations: [
      starlight({
        title: 'Sales Channel Service',
        sidebar: buildSidebar(site.pages) as never,
        // Redirects old links to the contract: /docs#/events/listEvents.
        head: [{ tag: 'script', content: OLD_LINKS }],
        credits: false,
        pagination: false,
        lastUpdated: false,
        disable404Route: false,
      }),
    ],
    vite: { build: { assetsInlineLimit: 0 } },
  });
  makeScriptsExternal(draft, BASE);
  compressTexts(draft);
  // Dated to the start of the build: later changes make the next `npm start` rebuild the site.
  utimesSync(join(draft, 'index.html'), startedAt, startedAt);
  replaceSite();
} finally {
  rmSync(work, { recursive: true, force: true });
}
