import { unavailable } from '@saleschannel/errors';
import { Batcher, type ItemOptions, type BatchItem } from '@saleschannel/runtime';
import type { Database } from './database.ts';
import type { EntityManager } from './entity-manager.ts';

/** A key of a batch with its index, or a row with the index of its key. Several keys may match the same row. */
export type Indexed<T> = T & { readonly index: number };

/**
 * Finds one row by its key.
 * @throws DomainError 'unavailable'
 */
export type LookUp<Key, Row> = (key: Key, asker: ItemOptions) => Promise<Row | undefined>;

/**
 * Creates a function that finds rows by key, with one statement for concurrent calls. Each key has its own result, the
 * same as without the other keys.
 * @param find receives keys with their indexes, and returns the existing rows, each with the index of its key
 */
export function createLookUp<Key extends object, Row extends object>(
  database: Pick<Database, 'em'>,
  find: (em: EntityManager, keys: readonly Indexed<Key>[]) => Promise<readonly Indexed<Row>[]>,
): LookUp<Key, Row> {
  const gatherer = new Batcher<Key, Row | undefined>({
    refusal: (why) =>
      unavailable(new Error(why === 'late' ? 'a lookup waited too long' : 'too many lookups are waiting')),
    async send(batch: readonly BatchItem<Key, Row | undefined>[]) {
      const rows = await find(
        database.em(),
        batch.map(({ item }, index) => ({ ...item, index })),
      );
      for (const row of rows) batch[row.index]?.resolve(row);
      for (const each of batch) each.resolve(undefined);
    },
  });
  return (key, asker) => gatherer.request(key, asker);
}
