import type { Document } from './documents.ts';

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
