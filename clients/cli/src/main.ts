#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { runCommandLine } from './command-line.ts';

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the address in the default browser, if there is one. The address is printed too. */
function openBrowser(url: string): void {
  const [command, ...words] = commands[process.platform] ?? ['xdg-open'];
  const started = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  started.on('error', () => undefined);
  started.unref();
}

const EXIT_INTERRUPTED = 130;

// The reader of the output may close it: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
// Continue without a reader of messages.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const ending = new AbortController();
process.once('SIGINT', () => {
  ending.abort(new Error('Interrupted.'));
  // Do not wait for pending work after Ctrl+C.
  process.exitCode = EXIT_INTERRUPTED;
  process.exit();
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  signal: ending.signal,
  openBrowser,
});
