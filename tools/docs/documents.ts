import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** A fenced block of code in a document. */
export interface Block {
  /** Number of the first line inside the fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Reason not to run the block, from a comment `<!-- not run: … -->` above it. */
  readonly notRun: string | undefined;
}

export interface Document {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Lines outside of blocks, by number from 1. */
  readonly prose: ReadonlyMap<number, string>;
}

/** Reads all documents. */
export const readDocuments = (): Document[] =>
  globSync(['*.md', 'docs/**/*.md', '{apps,libs,clients,lab,deploy}/{*/,}README.md'], { cwd: root })
    .toSorted()
    .map(readDocument);

function readDocument(path: string): Document {
  const text = readFileSync(join(root, path), 'utf8');
  const blocks: Block[] = [];
  const prose = new Map<number, string>();
  let open: { indent: string; language: string; line: number; lines: string[] } | undefined;
  let above = '';
  for (const [index, line] of text.split('\n').entries()) {
    const fence = /^(\s*)```(\w*)/.exec(line);
    if (fence && open) {
      const { language, line: first, lines } = open;
      const [, notRun] = /^\s*<!-- not run: (.+) -->$/.exec(above) ?? [];
      blocks.push({ language, line: first, text: lines.join('\n'), notRun });
      open = undefined;
      above = '';
    } else if (fence) {
      open = { indent: fence[1] ?? '', language: fence[2] ?? '', line: index + 2, lines: [] };
    } else if (open) {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    } else {
      prose.set(index + 1, line);
      if (line.trim() !== '') above = line;
    }
  }
  return { path, text, blocks, prose };
}
