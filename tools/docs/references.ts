import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { checkCommands } from './commands.ts';
import { readDocuments, root, type Block, type Document } from './documents.ts';

/**
 * Refuses settings that two fragments define, and commands that append to .env. The last line of a name wins, so pages
 * followed in turn would override each other.
 */
export function checkSettings(documents: readonly Document[]): string[] {
  const first = new Map<string, string>();
  return documents.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ language, line, text }) =>
      text.split('\n').flatMap((each, index) => {
        const location = `${path}:${line + index}`;
        if (language === 'sh' && />>\s{0,9}\S{0,200}\.env\b/.test(each))
          return `${location}: appends to .env, which may already define the name`;
        const [, name] = (language === 'ini' && /^([A-Z][A-Z_]*)=/.exec(each)) || [];
        if (name === undefined) return [];
        const before = first.get(name);
        first.set(name, before ?? location);
        return before === undefined ? [] : `${location}: ${before} already defines ${name}`;
      }),
    ),
  );
}

/** Links, code, commands and settings of documents that do not match the repository, each as `file:line: …`. */
export function checkReferences(): string[] {
  const all = readDocuments();
  const anchors = new Map(all.map((document) => [document.path, anchorsOf(document)]));
  const each = all.flatMap((document) => [
    ...faultsOfLinks(document, anchors),
    ...document.blocks.flatMap((block) => [...faultsOfCode(document, block)]),
  ]);
  return [...each, ...checkCommands(all), ...checkSettings(all)];
}

/** Anchors that GitHub gives the headings of a document. */
const anchorsOf = ({ prose }: Document): Set<string> =>
  new Set(
    [...prose.values()]
      .flatMap((line) => /^#+ (.+)$/.exec(line)?.[1] ?? [])
      .map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
  );

function* faultsOfLinks({ path, prose }: Document, anchors: ReadonlyMap<string, Set<string>>): Generator<string> {
  for (const [number, line] of prose) {
    for (const [, target = ''] of line.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : relative(root, join(root, dirname(path), file));
      if (!existsSync(join(root, linked))) yield `${path}:${number}: the link ${target} is broken`;
      else if (anchor && !anchors.get(linked)?.has(anchor)) yield `${path}:${number}: ${linked} has no #${anchor}`;
    }
  }
}

/** Compares quoted code with its file, which the first line names. A line `…` marks an omission. */
function* faultsOfCode({ path }: Document, { language, line, text }: Block): Generator<string> {
  const [, named] = /^\/\/ (\S+)\n/.exec(text) ?? [];
  const file = named?.includes('/') && named.endsWith('.ts') ? named : undefined;
  if (language !== 'ts' || file === undefined) return;
  if (!existsSync(join(root, file))) return yield `${path}:${line}: ${file} does not exist`;
  const source = readFileSync(join(root, file), 'utf8');
  const shown = text.slice(text.indexOf('\n') + 1).split(/^…$/m);
  for (const part of shown.map((each) => each.replaceAll(/^\n{1,99}|\n{1,99}$/g, ''))) {
    if (!source.includes(part)) yield `${path}:${line}: ${file} does not contain ${part.split('\n')[0]}`;
  }
}
