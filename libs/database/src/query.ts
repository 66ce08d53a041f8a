import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery, type Kysely } from 'kysely';
import { withSpan } from '@saleschannel/runtime';
import { asUnavailable } from './database.ts';

/** Statements of a service are fixed texts; their numbered form is made once. */
const numbered = new Map<string, string>();

/** `?` placeholders as PostgreSQL numbers them. */
function withNumbers(text: string): string {
  let known = numbered.get(text);
  if (known === undefined) {
    let count = 0;
    known = text.replaceAll('?', () => `$${++count}`);
    numbered.set(text, known);
  }
  return known;
}

/** What runs statements: the transaction of the entity manager, or its pool. */
function executorOf(em: EntityManager): Kysely<unknown> {
  const transaction = em.getTransactionContext() as Kysely<unknown> | undefined;
  return transaction ?? (em.getConnection() as unknown as { getClient(): Kysely<unknown> }).getClient();
}

/**
 * Runs one statement with `?` placeholders, prepared by the server; inside a transaction's `em` it is part of it. Rows come with numeric and int8 as strings and
 * timestamps as text. Sets of rows are passed as one JSON parameter: `jsonb_to_recordset(?::jsonb)`.
 * @throws DomainError 'unavailable' when the database cannot be reached
 */
export async function query<Row extends object>(
  em: EntityManager,
  text: string,
  params: unknown[] = [],
): Promise<Row[]> {
  return withSpan(
    'query',
    { kind: 'client', attributes: { 'db.system': 'postgresql', 'db.query.text': text } },
    async () => {
      try {
        const { rows } = await executorOf(em).executeQuery<Row>(CompiledQuery.raw(withNumbers(text), params));
        return rows;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  );
}
