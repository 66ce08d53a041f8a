// node tools/check-plain-english.ts [path…]
//
// Refuses phrases in comments and documents that CONTRIBUTING.md asks to avoid, and prints a fix for each. Has only
// patterns without false alarms; reviewers see the rest.
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
      /(^|[.:;] )(What(?!'| if | to | you ) (?!\w+\?)|(Who|What|Which)ever|That which|Those (who|that|which|with) )/,
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

/** A line that is a comment, and the first mark of a comment behind code. */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|--|#(?!!)(?=\s))(.*)$/;
const TRAILING = /[;,{)}] (?:\/\/|--) (.*)$/;

/** Comments of code and prose of Markdown outside fences, with their line numbers. */
function listTexts(file: string): [number, string][] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  let isFenced = false;
  return lines.flatMap((line, index): [number, string][] => {
    const isProse = file.endsWith('.md');
    if (isProse && /^\s*```/.test(line)) isFenced = !isFenced;
    const text = isProse ? line : (COMMENT.exec(line) ?? TRAILING.exec(line))?.[1];
    if (text === undefined || isFenced) return [];
    const words = text.replace('*/', '').replaceAll(/`[^`]*`/g, '``');
    return [[index + 1, words.trim()]];
  });
}

const ROOMS = '{apps,libs,clients,lab,deploy,tools,protos,docs}';
const kinds = '{ts,tsx,mjs,sql,sh,proto,css,md}';
/** Generated files, released migrations, and this list of patterns. */
const leftOut = [
  /(^|\/)(node_modules|gen|dist|\.local|released|store\/migrations)\//,
  /CHANGELOG\.md$/,
  /^docs\/(contribute\/protos|integrate\/errors|operate\/settings)/,
  /^tools\/(check-plain-english|lint\/test\/)/,
];
const isLeftOut = (file: string): boolean => leftOut.some((pattern) => pattern.test(file));

const named = process.argv.slice(2);
const files = (named.length > 0 ? named : [ROOMS])
  .flatMap((path) => (/\.\w+$/.test(path) ? [path] : globSync(`${path}/**/*.${kinds}`, { cwd: root })))
  .filter((file) => !isLeftOut(file))
  .toSorted();

let faults = 0;
for (const file of files) {
  for (const [line, text] of listTexts(file)) {
    for (const { pattern, fix } of rules.filter((rule) => rule.pattern.test(text))) {
      console.error(`${file}:${line}: "${pattern.exec(text)?.[0].trim()}": ${fix}: ${text.trim().slice(0, 90)}`);
      faults += 1;
    }
  }
}
console.log(`${files.length} files in plain English, ${faults} faults`);
process.exitCode = faults > 0 ? 1 : 0;
