import type { EntityManager } from '@saleschannel/database';
import { invalidRequest } from '@saleschannel/errors';
import { readerOf, salesChannelOf, type Rpc } from '@saleschannel/grpc';
import { id } from '@saleschannel/primitives/validation';
import type { Context } from '../context.ts';
import type { RecordedEvent } from '../domain/event.ts';
import { findEvent, newestEvent } from '../store/events.ts';

/** What stands for the place before the first event. */
const BEGINNING = '0';

/** An event that is not there was never read: a reader that began anywhere else would miss some. */
const noSuchEvent = () =>
  invalidRequest('There is no such event.', [
    { parameter: 'Last-Event-ID', detail: 'is not the id of an event of the log', code: 'unknown-event' },
  ]);

export const streamEvents: Rpc<'events.StreamEvents', Context> = ({ reads, feed }) =>
  async function* ({ after }, call) {
    const salesChannelId = salesChannelOf(call);
    const following = feed.follow(salesChannelId);
    try {
      const isNamed = after !== undefined && after !== BEGINNING;
      if (isNamed && !id.safeParse(after).success) throw noSuchEvent();
      const find = (em: EntityManager): Promise<RecordedEvent | undefined> =>
        isNamed ? findEvent(em, salesChannelId, after) : newestEvent(em, salesChannelId);
      const found = after === BEGINNING ? undefined : await reads.page(readerOf(call), find);
      if (isNamed && !found) throw noSuchEvent();
      yield { after: found?.id ?? BEGINNING, events: [] };
      const pages = following.pages(found ? Date.parse(found.createdAt) : 0, call.signal);
      for await (const events of pages) yield { events };
    } finally {
      following.end();
    }
  };
