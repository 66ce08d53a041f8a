import type { Event, PositionedEvent } from '@saleschannel/sdk';
import type { Command } from 'commander';
import { createPollOption, parsePosition, addExamples } from '../options.ts';
import type { Tools } from '../tools.ts';

type EventRecord = Event & { readonly position: string };

async function* toRecords(log: AsyncIterable<PositionedEvent>): AsyncGenerator<EventRecord, void> {
  for await (const { event, position } of log) yield { ...event, position };
}

const columns = {
  TIME: ({ createdAt }: EventRecord) => createdAt,
  TYPE: ({ eventType }: EventRecord) => eventType,
  TRANSACTION: ({ payload }: EventRecord) => payload.transactionId,
  STATUS: ({ payload }: EventRecord) => payload.status,
  POSITION: ({ position }: EventRecord) => position,
};

interface EventOptions {
  readonly follow?: boolean;
  readonly from?: string;
  readonly poll: number;
}

export function addEvents(program: Command, tools: Tools): void {
  const events = program
    .command('events')
    .description('Shows the event log of the sales channel: each event once, in order, with its position.')
    .option('--follow', 'wait for new events')
    .option('--from <position>', 'begin after the event with this position', parsePosition)
    .addOption(createPollOption(2))
    .action(async ({ follow, from, poll: pollMs }: EventOptions) => {
      const printer = tools.printer();
      const { signal } = tools.io;
      const log = tools.client().events.iterate({ follow, from, pollMs, signal, onFailure: tools.printRetry });
      if (follow !== true) return printer.printList(toRecords(log), columns);
      for await (const record of toRecords(log)) printer.printEvent(record, columns);
    });
  addExamples(events, 'events --follow', 'events | tail -n 1 | jq -r .position');
}
