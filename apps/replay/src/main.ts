import { accountText } from './account-text.ts';
import { Unreachable } from './api/client.ts';
import { BadUsage, readArguments, USAGE } from './cli.ts';
import { readDemo, UnusableDemo } from './demo.ts';
import { UnreadableFile } from './file/read-file.ts';
import { progressWriter } from './progress.ts';
import { replay } from './replay.ts';

const INCOMPLETE = 1;
const NOT_STARTED = 2;

async function main(): Promise<number> {
  const given = readArguments(process.argv.slice(2), [process.cwd(), process.env['INIT_CWD'] ?? process.cwd()]);
  if (given === 'help') {
    console.log(USAGE);
    return 0;
  }
  const { file, concurrency, json } = given;
  const progress = progressWriter(json ? process.stderr : process.stdout);
  const account = await replay({
    file,
    demo: await readDemo(given.demo),
    concurrency,
    onProgress: progress.show,
  }).finally(progress.clear);
  if (json) console.log(JSON.stringify(account, undefined, 2));
  (json ? console.error : console.log)(accountText(account));
  return account.ok ? 0 : INCOMPLETE;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = NOT_STARTED;
  if (error instanceof BadUsage) console.error(`${error.message}\n\n${USAGE}`);
  else if (error instanceof Unreachable)
    console.error(`Nobody answers: ${error.message}\nIs the stack running? "npm start" starts it.`);
  else if (error instanceof UnreadableFile || error instanceof UnusableDemo) console.error(error.message);
  else throw error;
}
