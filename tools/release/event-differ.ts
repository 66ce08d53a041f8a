import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { integrationEventSchemas, type IntegrationEventType } from '../../libs/contracts/src/index.ts';
import { samples } from '../../libs/contracts/test/support/samples.ts';
import type { Breach } from './records.ts';
import { deprecatedIn, SchemaDiffer, type Schema } from './schema-differ.ts';
import type { Unit } from './units.ts';

export interface ReleasedEvent {
  readonly schema: Schema;
  readonly samples: readonly unknown[];
}
export type ReleasedEvents = Readonly<Record<string, ReleasedEvent>>;

/** The first word of a type is the sending service. */
const isSentBy = ({ name }: Unit, type: string): boolean => type.startsWith(`${name}.`);

/** Events that a service sends. Undefined if it sends none. */
export function listEvents(unit: Unit): ReleasedEvents | undefined {
  const types = Object.keys(integrationEventSchemas) as IntegrationEventType[];
  const own = types
    .filter((type) => isSentBy(unit, type))
    .map((type) => [
      type,
      // A reader ignores unknown members.
      { schema: z.toJSONSchema(integrationEventSchemas[type], { io: 'input' }) as Schema, samples: samples[type] },
    ]);
  return own.length === 0 ? undefined : (Object.fromEntries(own) as ReleasedEvents);
}

export const deprecatedInEvents = (events: ReleasedEvents): string[] =>
  Object.entries(events).flatMap(([type, { schema }]) => deprecatedIn(schema, type));

/**
 * Compares in both directions: readers of the last release must understand current events, and current readers the
 * events that the last release left in queues.
 */
export function compareEvents(released: ReleasedEvents, present: ReleasedEvents): Breach[] {
  return Object.entries(released).flatMap(([type, { schema, samples: old }]) => {
    const today = present[type];
    if (!today)
      return [{ element: type, rule: 'EVENT_REMOVED', message: 'libs/contracts no longer defines this event.' }];
    const differ = new SchemaDiffer(schema, today.schema);
    differ.compare(schema, today.schema, 'written', type);
    differ.compare(schema, today.schema, 'read', type);
    const validate = new Ajv2020({ strict: false }).compile(today.schema);
    const unread = old.filter((sample) => !validate(sample));
    const samplesUnread = unread.map((sample) => ({
      element: type,
      rule: 'EVENT_UNREADABLE',
      message: `The schema refuses a recorded event: ${JSON.stringify(sample)}.`,
    }));
    return [...differ.breaches, ...samplesUnread];
  });
}
