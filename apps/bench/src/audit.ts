import { Client } from 'pg';

/**
 * Counts after the load: no certificate lost or doubled, no event and no task missing.
 * @param urls the services' databases by service
 * @throws Error that names what does not add up
 */
export async function audit(urls: Readonly<Record<string, string>>): Promise<string> {
  const issued = await count(
    urls['inventory'],
    'select coalesce(sum(last_serial - first_serial + 1), 0)::text as count from issuance',
  );
  const held = await count(
    urls['inventory'],
    'select coalesce(sum(last - previous_last), 0)::text as count from bundle where owner_id is not null',
  );
  const transactions = await count(
    urls['inventory'],
    "select count(*)::text as count from ledger_transaction where type = 'TRADE' and status = 'SUCCESS'",
  );
  const events = await count(urls['events'], 'select count(*)::text as count from event');
  const open = await count(urls['tasks'], "select count(*)::text as count from task where status <> 'SUCCESS'");
  if (issued !== held) throw new Error(`${issued} certificates were issued and ${held} are held`);
  if (transactions !== events) throw new Error(`${transactions} transactions have ${events} events`);
  if (open !== 0n) throw new Error(`${open} tasks did not end well`);
  return `audit: ${issued} certificates issued and held, ${transactions} transactions, as many events and ended tasks`;
}

async function count(url: string | undefined, statement: string): Promise<bigint> {
  if (url === undefined) throw new Error('the stack has no such database');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(statement);
    const [row] = rows;
    if (!row) throw new Error(`no answer to: ${statement}`);
    return BigInt(row.count);
  } finally {
    await client.end();
  }
}
