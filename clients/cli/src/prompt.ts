import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError, type CommandLineIo } from './context.ts';

/** Prompts at a terminal. @throws the signal's reason */
export function prompt({ input, errors, signal }: CommandLineIo, question: string, isSecret = false): Promise<string> {
  // For a secret, shows the question but not the input.
  const show = (text: string): void => void (isSecret || errors.write(text));
  const output = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      show(piece.toString());
      done();
    },
  });
  const lines = createInterface({ input, output, prompt: question, terminal: input.isTTY === true });
  if (isSecret) errors.write(question);
  lines.prompt();
  return new Promise<string>((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line);
      // Close at once: pasted input may continue with a secret, which would be shown.
      lines.close();
    });
    lines.once('close', () => reject(new UsageError('The prompt got no answer.')));
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => {
    lines.close();
    if (isSecret) errors.write('\n');
  });
}

/** @throws UsageError without a terminal */
export async function confirm(io: CommandLineIo, question: string): Promise<boolean> {
  if (io.input.isTTY !== true)
    throw new UsageError('Standard input is not a terminal, so scs cannot ask for confirmation. Pass --yes.');
  return /^y(es)?$/i.test((await prompt(io, `${question} [y/N] `)).trim());
}

/** All lines of a pipe. */
export async function readLines({ input }: CommandLineIo): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input })) lines.push(line);
  return lines;
}
