import type { Document } from './documents.ts';

/**
 * Settings that two fragments of the pages define, and lines that a command appends to .env. Of two lines with the same
 * name only the last one counts, so pages that are followed one after the other would undo each other.
 */
export function faultsOfSettings(documents: readonly Document[]): string[] {
  const first = new Map<string, string>();
  return documents.flatMap(({ path, blocks }) =>
    blocks.flatMap(({ language, line, text }) =>
      text.split('\n').flatMap((each, index) => {
        const place = `${path}:${line + index}`;
        if (language === 'sh' && />>\s{0,9}\S{0,200}\.env\b/.test(each))
          return `${place}: appends to .env, where the name may have a line already`;
        const [, name] = (language === 'ini' && /^([A-Z][A-Z_]*)=/.exec(each)) || [];
        if (name === undefined) return [];
        const before = first.get(name);
        first.set(name, before ?? place);
        return before === undefined ? [] : `${place}: ${name} has a line at ${before} already`;
      }),
    ),
  );
}
