// Preloaded into a program of this repository: prints its declared commands and options as JSON, and ends it before it
// acts.
import { syncBuiltinESMExports } from 'node:module';
import util from 'node:util';
import { Command } from 'commander';
import type { Declared } from './commands.ts';

function declared(command: Command): Declared {
  return {
    options: command.options.flatMap(({ long, short }) => [long, short].filter((name) => name !== undefined)),
    commands: Object.fromEntries(
      command.commands.flatMap((each) => [each.name(), ...each.aliases()].map((name) => [name, declared(each)])),
    ),
  };
}

function end(found: Declared): never {
  process.stdout.write(JSON.stringify(found));
  process.exit(0);
}

const dump = function (this: Command): never {
  return end(declared(this));
};
Object.assign(Command.prototype, { parse: dump, parseAsync: dump });
Object.assign(util, {
  parseArgs: ({ options = {} }: util.ParseArgsConfig) =>
    end({ options: Object.keys(options).map((name) => `--${name}`), commands: {} }),
});
syncBuiltinESMExports();
