// What the texts of all manifests have in common.

const WIDTH = 120;

export const GENERATED =
  'Made by "npm run generate:deployment" from the services of deploy/installation. Do not edit it.';

/** A comment of YAML, broken into lines that are not too long. */
export function comment(text: string, indent = ''): string {
  const start = `${indent}#`;
  const lines: string[] = [];
  let line = start;
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = start;
    }
    line += ` ${word}`;
  }
  return [...lines, line].join('\n');
}

/** Moves a text of several lines to the right. */
export const indented = (text: string, columns: number): string => text.replaceAll(/^(?=.)/gm, ' '.repeat(columns));
