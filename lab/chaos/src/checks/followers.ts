import type { Entry, FollowerKind, SeenEntry } from '../workload/journal.ts';
import type { LogEvent } from '../workload/followers.ts';
import type { ChannelAnswers } from './answers.ts';
import { findBaseline, type Findings } from './findings.ts';

const SHOWN = 3;
const FOLLOWERS: readonly FollowerKind[] = ['poll', 'stream', 'webhook'];

const some = (ids: readonly string[]): string =>
  `${ids.length} event${ids.length === 1 ? '' : 's'}, such as ${ids.slice(0, SHOWN).join(', ')}`;

/** Checks that every follower has seen exactly the log: each event once, in order. Only webhooks may repeat. */
export function checkFollowers(entries: readonly Entry[], channel: ChannelAnswers, findings: Findings): void {
  const { id, events } = channel;
  for (const [index, event] of events.entries()) {
    const before = events[index - 1];
    if (before && before.createdAt >= event.createdAt)
      findings.reordered.push(`The log of ${id} has ${event.id} after ${before.id}, which is not older.`);
  }
  const baseline = new Set(findBaseline(entries, id).events);
  const isIn = (entry: Entry): entry is SeenEntry => entry.type === 'seen' && entry.channel === id;
  const all = entries.filter(isIn);
  for (const follower of FOLLOWERS) {
    // An endpoint gets only events recorded after its creation.
    const expected = follower === 'webhook' ? events.filter((event) => !baseline.has(event.id)) : events;
    const seen = all.filter((entry) => entry.follower === follower);
    checkFollower(`${follower} of ${id}`, seen, expected, findings, follower !== 'webhook');
  }
  const unsigned = entries.filter((entry) => entry.type === 'unsigned' && entry.channel === id).length;
  if (unsigned > 0) findings.wrong.push(`${unsigned} messages to the webhook of ${id} have no valid signature.`);
}

function checkFollower(
  name: string,
  seen: readonly SeenEntry[],
  expected: readonly LogEvent[],
  findings: Findings,
  onlyOnce: boolean,
): void {
  const first = new Map<string, SeenEntry>();
  const repeated: string[] = [];
  for (const entry of seen) {
    if (first.has(entry.event)) repeated.push(entry.event);
    else first.set(entry.event, entry);
  }
  const known = new Map(expected.map((event) => [event.id, event]));
  const missed = [...known.keys()].filter((id) => !first.has(id));
  const unknown = [...first.keys()].filter((id) => !known.has(id));
  if (missed.length > 0) findings.missed.push(`The ${name} missed ${some(missed)}.`);
  if (unknown.length > 0) findings.wrong.push(`The ${name} saw events that are not in the log: ${some(unknown)}.`);
  if (onlyOnce && repeated.length > 0) findings.doubled.push(`The ${name} saw repeatedly ${some(repeated)}.`);
  const order = [...first.keys()].filter((id) => known.has(id));
  const expectedOrder = [...known.keys()].filter((id) => first.has(id));
  const position = order.findIndex((id, index) => id !== expectedOrder[index]);
  if (position !== -1)
    findings.reordered.push(
      `The ${name} saw ${order[position]} where the log has ${expectedOrder[position]}, at position ${position}.`,
    );
  for (const [index, { id, payload }] of expected.entries()) {
    const entry = first.get(id);
    if (!entry) continue;
    if (entry.status !== payload.status || entry.transactionId !== payload.transactionId)
      findings.wrong.push(`The ${name} saw event ${id} with other content than the log.`);
    const before = expected[index - 1]?.id;
    if (before !== undefined && entry.previous !== undefined && entry.previous !== before)
      findings.wrong.push(`The ${name} got ${entry.previous} as the event before ${id}, but the log has ${before}.`);
  }
}
