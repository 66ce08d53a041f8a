import type { Command } from 'commander';
import type { Tools } from '../tools.ts';
import { addCompletion } from './completion.ts';
import { addEvents } from './events.ts';
import { addKeys } from './keys.ts';
import { addListen } from './listen.ts';
import { addReads } from './reads.ts';
import { addSandbox } from './sandbox.ts';
import { addSignIn } from './sign-in.ts';
import { addTasks } from './tasks.ts';
import { addTransfers } from './transfers.ts';

export function addCommands(program: Command, tools: Tools): void {
  addSignIn(program, tools);
  addReads(program, tools);
  addTransfers(program, tools);
  addTasks(program, tools);
  addEvents(program, tools);
  addListen(program, tools);
  addKeys(program, tools);
  addSandbox(program, tools);
  addCompletion(program, tools);
}
