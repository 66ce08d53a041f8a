import { readArguments } from './arguments.ts';
import { runBench } from './bench.ts';
import { report } from './report.ts';

const options = readArguments();
await runBench(options, report(options.json));
process.exit(process.exitCode ?? 0);
