import type { PositionedEvent } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { wordsOf } from '../failures.ts';
import { secondsOption, withExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

const columns = {
  TIME: ({ event }: PositionedEvent) => event.createdAt,
  TYPE: ({ event }: PositionedEvent) => event.eventType,
  TRANSACTION: ({ event }: PositionedEvent) => event.payload.transactionId,
  STATUS: ({ event }: PositionedEvent) => event.payload.status,
  POSITION: ({ position }: PositionedEvent) => position,
};

interface EventOptions {
  readonly follow?: boolean;
  readonly from?: string;
  readonly poll: number;
}

export function addEvents(program: Command, tools: Tools): void {
  const events = program
    .command('events')
    .description('The event log of the sales channel, each event once and in order, with its position.')
    .option('--follow', 'wait for further events')
    .option('--from <position>', 'begin after the event of that position')
    .option('--poll <seconds>', 'how often to look for further events', secondsOption, 2_000)
    .action(async ({ follow, from, poll: pollMs }: EventOptions) => {
      const printer = tools.printer();
      const { signal } = tools.surroundings;
      const onFailure = (error: unknown): void => tools.say(`scs: ${wordsOf(error)}\nscs: trying again`);
      const log = tools.client().events.iterate({ follow, from, pollMs, signal, onFailure });
      for await (const each of log) {
        if (printer.isTable) printer.event(each, columns);
        else printer.event({ ...each.event, position: each.position }, {});
      }
    });
  withExamples(events, 'events --follow', 'events | tail -n 1 | jq -r .position');
}
