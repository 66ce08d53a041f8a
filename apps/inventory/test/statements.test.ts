import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { JWK } from 'jose';
import { Client } from 'pg';
import { asUser, catchFailure } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { verify, type SignedStatement, type Statement } from './support/statements.ts';
import { createRetirement, createTrade } from './support/transfers.ts';

/** Public statements: visibility, embargoes and signatures. */

let inventory: Inventory;
let keys: readonly JWK[];

beforeAll(async () => {
  inventory = await startInventory();
  const { data } = await inventory.register.GetStatementKeys({});
  ({ keys } = JSON.parse(data.toString()) as { keys: JWK[] });
});
afterAll(async () => {
  await audit(inventory.service);
  await inventory.stop();
});

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const read = async (id: string): Promise<Statement> =>
  JSON.parse((await inventory.register.GetStatement({ id })).data.toString()) as Statement;
const findFailure = (id: string) => catchFailure(inventory.register.GetStatement({ id }));
const list = async (): Promise<Statement[]> => {
  const { data } = await inventory.register.ListStatements({ page: { limit: 1_000, offset: '0' } });
  return JSON.parse(data.toString()) as Statement[];
};
const asAdministrator = ({ channel }: Scene) => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
async function update(scene: Scene, transactionId: string, change: object) {
  const { data } = await inventory.gateway.UpdateStatement({ transactionId, ...change }, await asAdministrator(scene));
  return JSON.parse(data.toString()) as { id: string; publication: string; beneficiaryHiddenUntil: string | null };
}
async function findRefusal(scene: Scene, transactionId: string, change: object): Promise<string[]> {
  const request = { transactionId, ...change };
  const failure = await catchFailure(inventory.gateway.UpdateStatement(request, await asAdministrator(scene)));
  expect(failure).toMatchObject({ code: 'request-refused' });
  const { violations } = failure as unknown as { violations: readonly { pointer: string; code: string }[] };
  return violations.map(({ pointer, code }) => `${pointer} ${code}`);
}
async function readSettings(scene: Scene, transactionId: string) {
  const { data } = await inventory.gateway.GetTransactionDetail({ transactionId }, await asAdministrator(scene));
  const { statement } = JSON.parse(data.toString()) as { statement: Awaited<ReturnType<typeof update>> | null };
  return statement;
}

/** Creates a retirement in a new sales channel. */
async function retire(fields: Parameters<typeof createRetirement>[2] = {}) {
  const scene = inventory.scene();
  const issued = await scene.issue('1', '10');
  const transactionId = await inventory.settleTransaction(createRetirement(scene.seller, [[issued, 1, 4]], fields));
  const settings = await readSettings(scene, transactionId);
  return { scene, issued, transactionId, id: settings?.id ?? 'none', settings };
}

describe('the statement of a retirement', () => {
  test('exists from the start, and is found by its id', async () => {
    const { issued, id, settings, transactionId } = await retire();
    expect(settings).toMatchObject({ publication: 'LINK', beneficiaryHiddenUntil: null });
    const statement = await read(id);
    expect(statement).toMatchObject({
      id,
      volume: 4,
      certificates: [{ start: `${issued}_1`, end: `${issued}_4`, volume: 4 }],
      beneficiaryName: 'Ada',
      beneficiaryLocation: 'London',
      retirementPurpose: 'Travel',
      publication: 'LINK',
      transactionId: null,
    });
    expect(JSON.stringify(statement)).not.toContain(transactionId);
    expect(await findFailure(transactionId)).toMatchObject({ code: 'not-found' });
    expect((await list()).map((each) => each.id)).not.toContain(id);
  });

  test('has no owner, account holder or price', async () => {
    const { scene, id } = await retire({ currency: 'EUR' });
    const text = JSON.stringify(await read(id));
    for (const word of [scene.seller, 'salesChannelId', 'unitPrice', 'EUR']) expect(text).not.toContain(word);
  });

  test('has an id that spreadsheets do not take for a formula, which CSV would escape', async () => {
    const client = new Client({ connectionString: inventory.service.databaseUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ id: string }>(
        'select random_statement_id() as id from generate_series(1, 2000)',
      );
      expect(new Set(rows.map(({ id }) => id)).size).toBe(2_000);
      expect(rows.filter(({ id }) => !/^[A-Za-f][A-Za-z0-9_-]{21}$/.test(id))).toEqual([]);
    } finally {
      await client.end();
    }
  });

  test('is in the list as CSV if it is public, without hidden beneficiaries', async () => {
    const shown = await retire({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: null } });
    const hidden = await retire({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: inDays(30) } });
    const page = { limit: 1_000, offset: '0' };
    const reply = await inventory.register.ListStatements({ page, format: 'LIST_FORMAT_CSV' });
    expect(reply.format).toBe('LIST_FORMAT_CSV');
    const [header, ...records] = reply.data.toString().split('\r\n');
    expect(header).toMatch(/^id,retiredAt,volume,.*,beneficiaryName,beneficiaryLocation,retirementPurpose,/);
    expect(records.find((record) => record.startsWith(shown.id))).toContain(',Ada,London,Travel,PUBLIC,');
    expect(records.find((record) => record.startsWith(hidden.id))).toContain(',,,,PUBLIC,');
    expect(records.find((record) => record.startsWith(hidden.id))).not.toMatch(/Ada|London|Travel/);
  });

  test('is in the list if it is public, and found by the id of its transaction', async () => {
    const { id, transactionId } = await retire({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: null } });
    expect(await read(transactionId)).toEqual(await read(id));
    const inList = (await list()).find((each) => each.id === id);
    expect(inList).toMatchObject({ transactionId, volume: 4, beneficiaryName: 'Ada' });
  });

  test('exists once a pending retirement is approved, and never after a rejection', async () => {
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const needsApproval = { autoApproval: false, statement };
    const approved = await inventory.settleTransaction(createRetirement(scene.seller, [[issued, 1, 2]], needsApproval));
    expect([await readSettings(scene, approved), await findFailure(approved)]).toMatchObject([
      null,
      { code: 'not-found' },
    ]);
    await inventory.approve(approved);
    expect(await read(approved)).toMatchObject({ volume: 2, transactionId: approved });
    const rejected = await inventory.settleTransaction(createRetirement(scene.seller, [[issued, 3, 4]], needsApproval));
    await inventory.reject(rejected);
    expect(await findFailure(rejected)).toMatchObject({ code: 'not-found' });
    const change = { transactionId: rejected, publication: 'LINK' };
    expect(await catchFailure(inventory.gateway.UpdateStatement(change, await asAdministrator(scene)))).toMatchObject({
      code: 'request-refused',
    });
  });
});

describe('a signature', () => {
  test('is valid for the statement, and for no text that differs in one byte', async () => {
    const { id } = await retire();
    const { publication: _one, transactionId: _two, beneficiaryHiddenUntil: _three, ...signed } = await read(id);
    expect(await verify(signed, keys)).toMatchObject({ id, volume: 4, beneficiaryName: 'Ada' });
    const text = JSON.stringify(signed);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), fc.constantFrom('0', 'x', '~', '.'), async (at, byte) => {
        const changed = text.slice(0, at) + byte + text.slice(at + 1);
        fc.pre(changed !== text);
        expect(await isValid(changed)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test('stays the same when the beneficiary is revealed', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retire({ statement });
    const toJws = (shown: Statement): string => shown.signature.split('~')[0] ?? '';
    const hidden = await read(id);
    expect(await verify(hidden, keys)).not.toHaveProperty('beneficiaryName');
    await update(scene, transactionId, { beneficiaryHiddenUntil: '' });
    const revealed = await read(id);
    expect(toJws(revealed)).toBe(toJws(hidden));
    const { publication: _one, transactionId: _two, beneficiaryHiddenUntil: _three, ...covered } = revealed;
    expect(await verify(covered, keys)).toMatchObject({ beneficiaryName: 'Ada' });
  });

  test('can be verified with the published current and former keys, which have no private half', () => {
    expect(keys.map(({ kid }) => kid)).toEqual(['k2', 'k1']);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });
});

async function isValid(text: string): Promise<boolean> {
  try {
    await verify(JSON.parse(text) as SignedStatement, keys);
    return true;
  } catch {
    return false;
  }
}

describe('a hidden beneficiary', () => {
  test('is neither in the statement nor in the list nor in the signature', async () => {
    const until = inDays(10);
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: until } as const;
    const { id } = await retire({ statement });
    const hidden = [await read(id), (await list()).find((each) => each.id === id)];
    for (const shown of hidden) {
      expect(shown).toMatchObject({ beneficiaryHiddenUntil: until });
      for (const name of ['beneficiaryName', 'beneficiaryLocation', 'retirementPurpose'])
        expect(shown).not.toHaveProperty(name);
    }
    const text = JSON.stringify(hidden);
    const parts = String(hidden[0]?.signature)
      .split(/[.~]/)
      .map((part) => Buffer.from(part, 'base64url').toString());
    for (const word of ['Ada', 'London', 'Travel']) expect([text, ...parts].join()).not.toContain(word);
  });

  test('can be hidden at most twelve months after the retirement, and not until a time in the past', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retire({ statement });
    for (const [until, code] of [
      [inDays(367), 'embargo-too-long'],
      [inDays(-1), 'embargo-past'],
    ] as const)
      expect(await findRefusal(scene, transactionId, { beneficiaryHiddenUntil: until })).toEqual([
        `#/beneficiaryHiddenUntil ${code}`,
      ]);
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
  });

  test('can have its embargo changed until it is over, and then stays visible', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retire({ statement });
    for (const days of [60, 10]) await update(scene, transactionId, { beneficiaryHiddenUntil: inDays(days) });
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
    for (const _time of [1, 2]) await update(scene, transactionId, { beneficiaryHiddenUntil: '' });
    expect(await findRefusal(scene, transactionId, { beneficiaryHiddenUntil: inDays(1) })).toEqual([
      '#/beneficiaryHiddenUntil statement-published',
    ]);
    expect(await read(id)).toMatchObject({ beneficiaryName: 'Ada', beneficiaryHiddenUntil: null });
  });

  test('stays visible after the end of the embargo, and without one', async () => {
    // An embargo that was valid at the request, and is over now.
    const over = inDays(-1);
    const ended = await retire({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: over } });
    const never = await retire();
    for (const { scene, id, transactionId } of [ended, never]) {
      expect(await findRefusal(scene, transactionId, { beneficiaryHiddenUntil: inDays(1) })).toEqual([
        '#/beneficiaryHiddenUntil statement-published',
      ]);
      expect(await read(id)).toMatchObject({ beneficiaryName: 'Ada' });
    }
    // Repeating an embargo changes nothing, even after its end.
    const again = { publication: 'PUBLIC', beneficiaryHiddenUntil: over };
    expect(await update(ended.scene, ended.transactionId, again)).toMatchObject({ beneficiaryHiddenUntil: over });
  });

  test('can be hidden while the retirement is pending', async () => {
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
    const needsApproval = { autoApproval: false, statement };
    const transactionId = await inventory.settleTransaction(
      createRetirement(scene.seller, [[issued, 1, 2]], needsApproval),
    );
    const change = { publication: 'LINK', beneficiaryHiddenUntil: inDays(5) };
    const { id } = await update(scene, transactionId, change);
    await inventory.approve(transactionId);
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
  });
});

describe('a public statement', () => {
  test.each([null, inDays(5)])('stays public, hidden until %s', async (beneficiaryHiddenUntil) => {
    const { scene, id, transactionId } = await retire({
      statement: { publication: 'PUBLIC', beneficiaryHiddenUntil },
    });
    expect(await findRefusal(scene, transactionId, { publication: 'LINK' })).toEqual([
      '#/publication statement-published',
    ]);
    expect(
      await findRefusal(scene, transactionId, { publication: 'LINK', beneficiaryHiddenUntil: inDays(-1) }),
    ).toEqual([
      '#/publication statement-published',
      `#/beneficiaryHiddenUntil ${beneficiaryHiddenUntil === null ? 'statement-published' : 'embargo-past'}`,
    ]);
    expect(await read(transactionId)).toMatchObject({ id, publication: 'PUBLIC' });
  });

  test('never hides visible data again, after any changes in any order', async () => {
    const { scene, id, transactionId } = await retire({
      statement: { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) },
    });
    const change = fc.record(
      {
        publication: fc.constantFrom('LINK', 'PUBLIC'),
        beneficiaryHiddenUntil: fc.constantFrom('', inDays(-1), inDays(1), inDays(300), inDays(400)),
      },
      { requiredKeys: [] },
    );
    let seen = await read(id);
    await fc.assert(
      fc.asyncProperty(change, async (each) => {
        await update(scene, transactionId, each).catch((error: unknown) => error);
        const now = await read(id);
        if (seen.publication === 'PUBLIC') expect(now.publication).toBe('PUBLIC');
        if (seen.beneficiaryName !== undefined) expect(now.beneficiaryName).toBe(seen.beneficiaryName);
        seen = now;
      }),
      { numRuns: 60, endOnFailure: true },
    );
  });
});

describe('an update', () => {
  test('is not-found for another channel, and for transactions other than retirements', async () => {
    const { scene, issued, transactionId } = await retire();
    const traded = await inventory.settleTransaction(createTrade(scene.seller, scene.buyer, [[issued, 5, 5]]));
    const other = inventory.scene();
    for (const [caller, id] of [[other, transactionId] as const, [scene, traded] as const]) {
      const change = { transactionId: id, publication: 'PUBLIC' };
      expect(
        await catchFailure(inventory.gateway.UpdateStatement(change, await asAdministrator(caller))),
      ).toMatchObject({
        code: 'not-found',
      });
    }
  });

  test('is recorded once, even if it is repeated', async () => {
    const { scene, transactionId } = await retire();
    for (const _time of [1, 2])
      expect(await update(scene, transactionId, { publication: 'PUBLIC' })).toMatchObject({ publication: 'PUBLIC' });
    const rows = await inventory.service.sql<{ event: string }>(
      `select event from audit_event
        where event like '%inventory.statement.updated%' and event like '%${transactionId}%'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('a certificate', () => {
  const readStatus = async (certificate: string) =>
    JSON.parse((await inventory.register.GetCertificateStatus({ certificate })).data.toString()) as object;

  test('is active, retired or expired', async () => {
    const { issued, id, scene, transactionId } = await retire();
    expect(await readStatus(`${issued}_5`)).toMatchObject({ status: 'ACTIVE', retiredAt: null, statementId: null });
    const { retiredAt } = await read(id);
    expect(await readStatus(`${issued}_2`)).toMatchObject({ status: 'RETIRED', retiredAt, statementId: null });
    await update(scene, transactionId, { publication: 'PUBLIC' });
    expect(await readStatus(`${issued}_4`)).toMatchObject({ status: 'RETIRED', statementId: id });
    await inventory.settleTransaction(
      createTrade(scene.seller, scene.buyer, [[issued, 5, 5]], { autoApproval: false }),
    );
    expect(await readStatus(`${issued}_5`)).toMatchObject({ status: 'ACTIVE' });
    await inventory.expire(issued);
    expect(await readStatus(`${issued}_6`)).toMatchObject({ status: 'EXPIRED' });
    expect(await readStatus(`${issued}_4`)).toMatchObject({ status: 'RETIRED' });
  });

  test.each(['11', '0', '01'])('serial %s of an issuance of 1 to 10 is not-found', async (serial) => {
    const { issued } = await retire();
    expect(
      await catchFailure(inventory.register.GetCertificateStatus({ certificate: `${issued}_${serial}` })),
    ).toMatchObject({ code: 'not-found' });
  });
});

test('a retirement of the previous release has a statement too', async () => {
  const { transactionId } = await retire();
  // The previous release writes the transaction, and no row for its statement.
  const client = new Client({ connectionString: inventory.service.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into ledger_transaction
          (id, type, status, sales_channel_id, seller_id, task_id, retirement, created_at, completed_at)
        select 'before', type, status, sales_channel_id, seller_id, 'before', retirement, created_at, completed_at
        from ledger_transaction where id = $1`,
      [transactionId],
    );
    const { rows } = await client.query(
      `select publication, retired_at is not null as "isThere" from retirement_statement
        where transaction_id = 'before'`,
    );
    expect(rows).toEqual([{ publication: 'LINK', isThere: true }]);
  } finally {
    await client.end();
  }
});

test('a statement keeps its id and cannot be deleted', async () => {
  const { transactionId } = await retire();
  for (const statement of [
    `update retirement_statement set id = 'AAAAAAAAAAAAAAAAAAAAAA' where transaction_id = '${transactionId}'`,
    `update retirement_statement set retired_at = now() where transaction_id = '${transactionId}'`,
    `delete from retirement_statement where transaction_id = '${transactionId}'`,
  ])
    await expect(inventory.transaction(statement)).rejects.toThrow(/keeps its id/);
});
