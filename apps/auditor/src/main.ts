import { runCommandLine } from './command-line.ts';
import { findLocalStack } from './local-stack.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  findLocalStack,
});
