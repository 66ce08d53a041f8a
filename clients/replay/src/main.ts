import { runCommandLine } from './command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  folders: [process.cwd(), process.env['INIT_CWD'] ?? process.cwd()],
  output: process.stdout,
  errors: process.stderr,
});
