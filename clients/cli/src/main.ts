#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { openBrowser } from './login/open-browser.ts';

const BROKEN_OFF = 130;

// Whoever reads the answer may stop reading: `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
// What was asked for is done all the same when nobody hears how it goes.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const ending = new AbortController();
process.once('SIGINT', () => {
  ending.abort(new Error('Interrupted.'));
  // Whatever else is still waited for: the person has said that it is over.
  process.exitCode = BROKEN_OFF;
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
