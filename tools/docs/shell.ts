/** A command of a document, without redirections. */
export interface ShellCommand {
  /** Line in the text, from 1. */
  readonly line: number;
  readonly words: readonly string[];
}

/** Replacement for a placeholder such as `<name>`. */
export const PLACEHOLDER = '…';

interface Open {
  line: number;
  words: string[];
  word: string | undefined;
}

const SEPARATORS = '\n;|&(){}`';

/**
 * Parses shell commands, also those in `$(…)`, as far as documents need: quotes, comments, continued lines, pipes,
 * lists and here-documents.
 */
export function parseCommands(text: string): ShellCommand[] {
  const found: ShellCommand[] = [];
  const outer: { command: Open; quote: string }[] = [];
  let line = 1;
  let quote = '';
  let command: Open = { line, words: [], word: undefined };
  const endWord = (): void => {
    if (command.word !== undefined) command.words.push(command.word);
    command.word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    const words = command.words.filter((word) => !/^\w+=/.test(word) || command.words[0] === 'export');
    if (words.length > 0) found.push({ line: command.line, words });
    command = { line, words: [], word: undefined };
  };
  const shell = withoutHereDocuments(text)
    .replaceAll(/<[a-z][^<>\n]*>/gi, PLACEHOLDER)
    .replaceAll('\\\n', ' \r');
  for (let at = 0; at < shell.length; at++) {
    const char = shell.charAt(at);
    if (char === '\n' || char === '\r') line++;
    if (char === '\\' && quote !== "'") command.word = (command.word ?? '') + shell.charAt(++at);
    else if (quote !== "'" && char === '$' && shell.charAt(at + 1) === '(') {
      outer.push({ command, quote });
      command = { line, words: [], word: undefined };
      quote = '';
      at++;
    } else if (quote !== '') {
      if (char === quote) quote = '';
      else command.word = (command.word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      command.word ??= '';
    } else if (char === ')' && outer.length > 0) {
      endCommand();
      const inner = outer.pop() as (typeof outer)[number];
      ({ command, quote } = inner);
      command.word = `${command.word ?? ''}$()`;
    } else if (char === '#' && command.word === undefined) {
      while (at + 1 < shell.length && shell.charAt(at + 1) !== '\n') at++;
    } else if (SEPARATORS.includes(char) && !(char === '{' && command.word !== undefined)) endCommand();
    else if (/[\s<>]/.test(char)) endWord();
    else {
      if (command.words.length === 0 && command.word === undefined) command.line = line;
      command.word = (command.word ?? '') + char;
    }
  }
  endCommand();
  return found;
}

/** Empties the lines of here-documents, so that later lines keep their numbers. */
const withoutHereDocuments = (text: string): string =>
  text.replaceAll(/<<-?'?"?(\w[\w ]*?)'?"?\n([\s\S]*?)^[ \t]{0,40}\1$/gm, (whole) => whole.replaceAll(/[^\n]/g, ''));
