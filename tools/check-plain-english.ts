// npm run lint, or: node tools/check-plain-english.ts [path…]
//
// Refuses turns of phrase in comments and documents that CONTRIBUTING.md asks to avoid, and prints a fix beside each.
// With paths, checks these alone. Only patterns without false alarms are here: the rest is for reviewers.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

interface Rule {
  readonly pattern: RegExp;
  readonly fix: string;
}

const rules: readonly Rule[] = [
  { pattern: /^(@\w+ )?Of /, fix: 'begin with a verb or a noun: "Deadline of…", "Returns…"' },
  {
    pattern:
      /(^|[.:;] )(What(?!'| if | to | you ) (?!\w+\?)|Whoever|Whatever|Whichever|That which|Those (who|that|which|with) )/,
    fix: 'use a noun as the subject, not a clause',
  },
  { pattern: /(^|[.:;] )Who (?![^.]*\?)/, fix: 'name the role: "the caller", "an operator"' },
  { pattern: /\bwhoever\b|(^|[.:;] )(Whatever|Whichever)\b/i, fix: 'name the role or the thing, or say "any"' },
  { pattern: /\bof before\b/, fix: 'say "previous", "earlier" or "unchanged"' },
  { pattern: /\b(is|are|was|were|be) (said|told)\b/, fix: 'say "reports", "states", "announces"' },
  { pattern: /\banew\b/, fix: 'say "again"' },
  { pattern: /\b(goes|go|went) by\b/, fix: 'say "uses", "follows"' },
  { pattern: /\b(comes|came|come) (to what|to nothing|of it)\b/, fix: 'say "result"' },
  { pattern: /\b(some|no|every|any)body\b/i, fix: 'name the role: "the client", "an operator", "another transaction"' },
  { pattern: /\bso (many|long|much|few)\b(?! (that|as)\b)(?! \w+ (that|as)\b)/, fix: 'name the quantity' },
  { pattern: /\b(stands|stand|stood) (in(?! for)|on|at|beside) /, fix: 'say "is in", "depends on"' },
  { pattern: /\bin the way\b(?! (that|in|of)\b)/, fix: 'say what blocks what' },
];

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--|#(?=\s))\s?(.*)$/;
const TRAILING = /[),;{}] (?:\/\/|--) (.*)$/;

/** Texts of a file that people read, with their line numbers: comments of code, and prose of Markdown outside fences. */
function textsIn(file: string): [number, string][] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  let isFenced = false;
  return lines.flatMap((line, index): [number, string][] => {
    if (file.endsWith('.md')) {
      if (/^\s*```/.test(line)) isFenced = !isFenced;
      return isFenced ? [] : [[index + 1, line.replaceAll(/`[^`]*`/g, '``')]];
    }
    const text = (COMMENT.exec(line) ?? TRAILING.exec(line))?.[1];
    return text === undefined ? [] : [[index + 1, text.replaceAll(/`[^`]*`/g, '``')]];
  });
}

const ROOMS = '{apps,libs,clients,lab,deploy,tools,protos,docs}';
const kinds = '{ts,tsx,mjs,sql,sh,proto,css,md}';
const isLeftOut = (file: string): boolean =>
  /(^|\/)(node_modules|gen|dist|\.local|released)\/|CHANGELOG\.md$|^docs\/(contribute\/protos|integrate\/errors)|^tools\/check-plain-english/.test(
    file,
  ) || /\/store\/migrations\//.test(file);

const named = process.argv.slice(2);
const files = (named.length > 0 ? named : [`${ROOMS}`])
  .flatMap((path) => (/\.\w+$/.test(path) ? [path] : globSync(`${path}/**/*.${kinds}`, { cwd: root })))
  .filter((file) => !isLeftOut(file))
  .toSorted();

let faults = 0;
for (const file of files) {
  for (const [line, text] of textsIn(file)) {
    for (const { pattern, fix } of rules.filter((rule) => rule.pattern.test(text))) {
      console.error(`${file}:${line}: "${pattern.exec(text)?.[0].trim()}": ${fix}: ${text.trim().slice(0, 90)}`);
      faults += 1;
    }
  }
}
console.log(`${files.length} files in plain English, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
