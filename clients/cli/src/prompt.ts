import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Misuse, type Surroundings } from './context.ts';

/** Prompts at a terminal. @throws the signal's reason */
export function ask({ input, errors, signal }: Surroundings, question: string, isSecret = false): Promise<string> {
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
    lines.once('close', () => reject(new Misuse('The prompt got no answer.')));
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  }).finally(() => {
    lines.close();
    if (isSecret) errors.write('\n');
  });
}

/** @throws UsageError without a terminal */
export async function confirm(io: Surroundings, question: string): Promise<boolean> {
  if (io.input.isTTY !== true)
    throw new Misuse('Standard input is not a terminal, so scs cannot ask for confirmation. Pass --yes.');
  return /^y(es)?$/i.test((await ask(io, `${question} [y/N] `)).trim());
}

/** All lines of a pipe. */
export async function linesOf({ input }: Surroundings): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input })) lines.push(line);
  return lines;
}
