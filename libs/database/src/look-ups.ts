import { unavailable } from '@saleschannel/errors';
import { Gatherer, type Asker, type Gathered } from '@saleschannel/runtime';
import type { Database } from './database.ts';
import type { EntityManager } from './entity-manager.ts';

/** A key among others, with its place. A row says which key it is of: several may ask for the same row. */
export type Placed<T> = T & { readonly index: number };

/** Finds one row by its key. @throws DomainError 'unavailable' */
export type LookUp<Key, Row> = (key: Key, asker: Asker) => Promise<Row | undefined>;

/**
 * Looks rows up by key, those that are asked for at the same time with one statement. It says for each key what is
 * found for it, so that one channel's key among those of others finds what it would find alone.
 * @param find gets keys with their places, and returns the rows that there are, each with the place of its key
 */
export function createLookUp<Key extends object, Row extends object>(
  database: Pick<Database, 'em'>,
  find: (em: EntityManager, keys: readonly Placed<Key>[]) => Promise<readonly Placed<Row>[]>,
): LookUp<Key, Row> {
  const gatherer = new Gatherer<Key, Row | undefined>({
    refusal: (why) => unavailable(new Error(`a look-up is too ${why === 'late' ? 'late' : 'many'}`)),
    async ask(batch: readonly Gathered<Key, Row | undefined>[]) {
      const rows = await find(
        database.em(),
        batch.map(({ item }, index) => ({ ...item, index })),
      );
      for (const row of rows) batch[row.index]?.resolve(row);
      for (const each of batch) each.resolve(undefined);
    },
  });
  return (key, asker) => gatherer.ask(key, asker);
}
