import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(import.meta.resolve('@saleschannel/cli/main'));

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

type Running = ChildProcessByStdio<Writable, Readable, Readable>;

/** A person's account on a machine with scs. */
export class Scs {
  readonly home = mkdtempSync(join(tmpdir(), 'scs-'));
  readonly environment: NodeJS.ProcessEnv = {
    XDG_CONFIG_HOME: this.home,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  };

  /** Starts a command. */
  start(...words: string[]): Running {
    const running = spawn(process.execPath, [main, ...words], { env: this.environment, stdio: 'pipe' });
    running.stdin.on('error', () => undefined);
    return running;
  }

  /** Runs a command to completion. */
  async run(words: readonly string[], input: string | undefined = undefined): Promise<Outcome> {
    const running = this.start(...words);
    running.stdin.end(input);
    const [output, errors] = [readText(running.stdout), readText(running.stderr)];
    const [code] = (await once(running, 'exit')) as [number | null];
    return { code, output: await output, errors: await errors };
  }

  /** Runs a command and returns its records, one per line. @throws Error if it fails */
  async records<T>(...words: string[]): Promise<T[]> {
    const { code, output, errors } = await this.run(words);
    if (code !== 0) throw new Error(`scs ${words.join(' ')} ended with ${code}: ${errors}`);
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as T);
  }

  leave(): void {
    rmSync(this.home, { recursive: true });
  }
}

async function readText(stream: Readable): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += piece as string;
  return text;
}

/** More redirects and forms than a sign-in needs. */
const STEPS_AT_MOST = 12;

/** Signs in through the provider's pages, like a person in a browser. Resolves with the last page. */
export async function signInAt(address: string, name: string): Promise<string> {
  const cookies = new Map<string, string>();
  let [url, form]: [string, URLSearchParams | undefined] = [address, undefined];
  for (let step = 0; step < STEPS_AT_MOST; step++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, key, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (key !== undefined && value !== undefined) cookies.set(key, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (location === null && (action === undefined || prompt === undefined)) return page;
    url = new URL(location ?? action ?? '/', url).href;
    form = location === null ? new URLSearchParams({ prompt: prompt ?? '-', login: name, password: 'any' }) : undefined;
  }
  throw new Error('The sign-in does not end.');
}
