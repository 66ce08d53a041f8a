import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { JWK } from 'jose';
import { Client } from 'pg';
import { asUser, failureOf } from '@saleschannel/testing';
import { audit } from './support/audit.ts';
import { startInventory, type Inventory, type Scene } from './support/inventory.ts';
import { verified, type SignedStatement, type Statement } from './support/statements.ts';
import { retirementOf, tradeOf } from './support/transfers.ts';

/** Public statements: who finds them, what they hide, and that nobody can change a word. */

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
const refusalOf = (id: string) => failureOf(inventory.register.GetStatement({ id }));
const listed = async (): Promise<Statement[]> => {
  const { data } = await inventory.register.ListStatements({ page: { limit: 1_000, offset: '0' } });
  return JSON.parse(data.toString()) as Statement[];
};
const administratorOf = ({ channel }: Scene) => asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
async function update(scene: Scene, transactionId: string, change: object) {
  const { data } = await inventory.gateway.UpdateStatement({ transactionId, ...change }, await administratorOf(scene));
  return JSON.parse(data.toString()) as { id: string; publication: string; beneficiaryHiddenUntil: string | null };
}
async function refusedChange(scene: Scene, transactionId: string, change: object): Promise<string[]> {
  const request = { transactionId, ...change };
  const failure = await failureOf(inventory.gateway.UpdateStatement(request, await administratorOf(scene)));
  expect(failure).toMatchObject({ code: 'request-refused' });
  const { violations } = failure as unknown as { violations: readonly { pointer: string; code: string }[] };
  return violations.map(({ pointer, code }) => `${pointer} ${code}`);
}
async function settingsOf(scene: Scene, transactionId: string) {
  const { data } = await inventory.gateway.GetTransactionDetail({ transactionId }, await administratorOf(scene));
  const { statement } = JSON.parse(data.toString()) as { statement: Awaited<ReturnType<typeof update>> | null };
  return statement;
}

/** A retirement of certificates of a scene's own. */
async function retired(fields: Parameters<typeof retirementOf>[2] = {}) {
  const scene = inventory.scene();
  const issued = await scene.issue('1', '10');
  const transactionId = await inventory.transact(retirementOf(scene.seller, [[issued, 1, 4]], fields));
  const settings = await settingsOf(scene, transactionId);
  return { scene, issued, transactionId, id: settings?.id ?? 'none', settings };
}

describe('the statement of a retirement', () => {
  test('is there with it, for whoever knows its id', async () => {
    const { issued, id, settings, transactionId } = await retired();
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
    expect(await refusalOf(transactionId)).toMatchObject({ code: 'not-found' });
    expect((await listed()).map((each) => each.id)).not.toContain(id);
  });

  test('names no owner, no account holder and no price', async () => {
    const { scene, id } = await retired({ currency: 'EUR' });
    const text = JSON.stringify(await read(id));
    for (const word of [scene.seller, 'salesChannelId', 'unitPrice', 'EUR']) expect(text).not.toContain(word);
  });

  test('has an id that no spreadsheet takes for a formula, or CSV would not have it as it is', async () => {
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

  test('that is public is in the list as CSV, and says nothing of who is hidden', async () => {
    const shown = await retired({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: null } });
    const hidden = await retired({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: inDays(30) } });
    const page = { limit: 1_000, offset: '0' };
    const reply = await inventory.register.ListStatements({ page, format: 'LIST_FORMAT_CSV' });
    expect(reply.format).toBe('LIST_FORMAT_CSV');
    const [header, ...records] = reply.data.toString().split('\r\n');
    expect(header).toMatch(/^id,retiredAt,volume,.*,beneficiaryName,beneficiaryLocation,retirementPurpose,/);
    expect(records.find((record) => record.startsWith(shown.id))).toContain(',Ada,London,Travel,PUBLIC,');
    expect(records.find((record) => record.startsWith(hidden.id))).toContain(',,,,PUBLIC,');
    expect(records.find((record) => record.startsWith(hidden.id))).not.toMatch(/Ada|London|Travel/);
  });

  test('that is public is in the list, and found by the id of its transaction', async () => {
    const { id, transactionId } = await retired({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: null } });
    expect(await read(transactionId)).toEqual(await read(id));
    const inList = (await listed()).find((each) => each.id === id);
    expect(inList).toMatchObject({ transactionId, volume: 4, beneficiaryName: 'Ada' });
  });

  test('is there once a retirement that waited is approved, and never for one that was rejected', async () => {
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const waits = { autoApproval: false, statement };
    const approved = await inventory.transact(retirementOf(scene.seller, [[issued, 1, 2]], waits));
    expect([await settingsOf(scene, approved), await refusalOf(approved)]).toMatchObject([null, { code: 'not-found' }]);
    await inventory.approve(approved);
    expect(await read(approved)).toMatchObject({ volume: 2, transactionId: approved });
    const rejected = await inventory.transact(retirementOf(scene.seller, [[issued, 3, 4]], waits));
    await inventory.reject(rejected);
    expect(await refusalOf(rejected)).toMatchObject({ code: 'not-found' });
    const change = { transactionId: rejected, publication: 'LINK' };
    expect(await failureOf(inventory.gateway.UpdateStatement(change, await administratorOf(scene)))).toMatchObject({
      code: 'request-refused',
    });
  });
});

describe('a signature', () => {
  test('holds for all that is shown, and for nothing that differs by one byte', async () => {
    const { id } = await retired();
    const { publication: _one, transactionId: _two, beneficiaryHiddenUntil: _three, ...signed } = await read(id);
    expect(await verified(signed, keys)).toMatchObject({ id, volume: 4, beneficiaryName: 'Ada' });
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

  test('stays what it was when the beneficiary is hidden, and when it is revealed', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retired({ statement });
    const signed = (shown: Statement): string => shown.signature.split('~')[0] ?? '';
    const hidden = await read(id);
    expect(await verified(hidden, keys)).not.toHaveProperty('beneficiaryName');
    await update(scene, transactionId, { beneficiaryHiddenUntil: '' });
    const revealed = await read(id);
    expect(signed(revealed)).toBe(signed(hidden));
    const { publication: _one, transactionId: _two, beneficiaryHiddenUntil: _three, ...said } = revealed;
    expect(await verified(said, keys)).toMatchObject({ beneficiaryName: 'Ada' });
  });

  test('comes with the keys of now and of before, and no private half', () => {
    expect(keys.map(({ kid }) => kid)).toEqual(['k2', 'k1']);
    for (const key of keys) expect(key).not.toHaveProperty('d');
  });
});

async function isValid(text: string): Promise<boolean> {
  try {
    await verified(JSON.parse(text) as SignedStatement, keys);
    return true;
  } catch {
    return false;
  }
}

describe('a hidden beneficiary', () => {
  test('is nowhere: not in the statement, not in the list, not in the signature', async () => {
    const until = inDays(10);
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: until } as const;
    const { id } = await retired({ statement });
    const hidden = [await read(id), (await listed()).find((each) => each.id === id)];
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

  test('is hidden for twelve months after the retirement at most, and until a time to come', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retired({ statement });
    for (const [until, code] of [
      [inDays(367), 'embargo-too-long'],
      [inDays(-1), 'embargo-past'],
    ] as const)
      expect(await refusedChange(scene, transactionId, { beneficiaryHiddenUntil: until })).toEqual([
        `#/beneficiaryHiddenUntil ${code}`,
      ]);
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
  });

  test('may be hidden for longer or shorter until the embargo is over, and then stays shown', async () => {
    const statement = { publication: 'LINK', beneficiaryHiddenUntil: inDays(30) } as const;
    const { scene, id, transactionId } = await retired({ statement });
    for (const days of [60, 10]) await update(scene, transactionId, { beneficiaryHiddenUntil: inDays(days) });
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
    for (const _time of [1, 2]) await update(scene, transactionId, { beneficiaryHiddenUntil: '' });
    expect(await refusedChange(scene, transactionId, { beneficiaryHiddenUntil: inDays(1) })).toEqual([
      '#/beneficiaryHiddenUntil statement-published',
    ]);
    expect(await read(id)).toMatchObject({ beneficiaryName: 'Ada', beneficiaryHiddenUntil: null });
  });

  test('stays shown when the embargo ended by itself, and when there was none', async () => {
    // An embargo that was good when the retirement was asked for, and is over now.
    const over = inDays(-1);
    const ended = await retired({ statement: { publication: 'PUBLIC', beneficiaryHiddenUntil: over } });
    const never = await retired();
    for (const { scene, id, transactionId } of [ended, never]) {
      expect(await refusedChange(scene, transactionId, { beneficiaryHiddenUntil: inDays(1) })).toEqual([
        '#/beneficiaryHiddenUntil statement-published',
      ]);
      expect(await read(id)).toMatchObject({ beneficiaryName: 'Ada' });
    }
    // The same again is no change, even after its time.
    const again = { publication: 'PUBLIC', beneficiaryHiddenUntil: over };
    expect(await update(ended.scene, ended.transactionId, again)).toMatchObject({ beneficiaryHiddenUntil: over });
  });

  test('may still be hidden while the retirement waits for approval', async () => {
    const scene = inventory.scene();
    const issued = await scene.issue('1', '10');
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
    const waits = { autoApproval: false, statement };
    const transactionId = await inventory.transact(retirementOf(scene.seller, [[issued, 1, 2]], waits));
    const change = { publication: 'LINK', beneficiaryHiddenUntil: inDays(5) };
    const { id } = await update(scene, transactionId, change);
    await inventory.approve(transactionId);
    expect(await read(id)).not.toHaveProperty('beneficiaryName');
  });
});

describe('a public statement', () => {
  test.each([null, inDays(5)])('stays public, hidden until %s', async (beneficiaryHiddenUntil) => {
    const { scene, id, transactionId } = await retired({
      statement: { publication: 'PUBLIC', beneficiaryHiddenUntil },
    });
    expect(await refusedChange(scene, transactionId, { publication: 'LINK' })).toEqual([
      '#/publication statement-published',
    ]);
    expect(
      await refusedChange(scene, transactionId, { publication: 'LINK', beneficiaryHiddenUntil: inDays(-1) }),
    ).toEqual([
      '#/publication statement-published',
      `#/beneficiaryHiddenUntil ${beneficiaryHiddenUntil === null ? 'statement-published' : 'embargo-past'}`,
    ]);
    expect(await read(transactionId)).toMatchObject({ id, publication: 'PUBLIC' });
  });

  test('hides nothing again, whatever changes are sent and in whatever order', async () => {
    const { scene, id, transactionId } = await retired({
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
  test('of another channel, or of what is no retirement, finds nothing', async () => {
    const { scene, issued, transactionId } = await retired();
    const traded = await inventory.transact(tradeOf(scene.seller, scene.buyer, [[issued, 5, 5]]));
    const other = inventory.scene();
    for (const [who, id] of [[other, transactionId] as const, [scene, traded] as const]) {
      const change = { transactionId: id, publication: 'PUBLIC' };
      expect(await failureOf(inventory.gateway.UpdateStatement(change, await administratorOf(who)))).toMatchObject({
        code: 'not-found',
      });
    }
  });

  test('is recorded once, however often it is repeated', async () => {
    const { scene, transactionId } = await retired();
    for (const _time of [1, 2])
      expect(await update(scene, transactionId, { publication: 'PUBLIC' })).toMatchObject({ publication: 'PUBLIC' });
    const rows = await inventory.service.sql<{ event: string }>(
      `select event from audit_event
        where event like '%inventory.statement.updated%' and event like '%${transactionId}%'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('the list of public statements', () => {
  test('comes in pages, youngest first, within a range of time', async () => {
    const statement = { publication: 'PUBLIC', beneficiaryHiddenUntil: null } as const;
    const made = [await retired({ statement }), await retired({ statement }), await retired({ statement })];
    const page = async (asked: object) => {
      const { data, next } = await inventory.register.ListStatements({ page: { limit: 2, offset: '0', ...asked } });
      return { ids: (JSON.parse(data.toString()) as Statement[]).map(({ id }) => id), next };
    };
    const first = await page({});
    const second = await page({ after: first.next });
    const expected = made.map(({ id }) => id).toReversed();
    expect([...first.ids, ...second.ids].slice(0, 3)).toEqual(expected);
    const [oldest] = made;
    const { retiredAt } = await read(oldest?.id ?? '');
    const { data } = await inventory.register.ListStatements({
      retiredAt: { lt: retiredAt },
      page: { limit: 1_000, offset: '0' },
    });
    expect(data.toString()).not.toContain(expected[0]);
  });
});

describe('a certificate', () => {
  const statusOf = async (certificate: string) =>
    JSON.parse((await inventory.register.GetCertificateStatus({ certificate })).data.toString()) as object;

  test('is in use, retired or expired', async () => {
    const { issued, id, scene, transactionId } = await retired();
    expect(await statusOf(`${issued}_5`)).toMatchObject({ status: 'ACTIVE', retiredAt: null, statementId: null });
    const { retiredAt } = await read(id);
    expect(await statusOf(`${issued}_2`)).toMatchObject({ status: 'RETIRED', retiredAt, statementId: null });
    await update(scene, transactionId, { publication: 'PUBLIC' });
    expect(await statusOf(`${issued}_4`)).toMatchObject({ status: 'RETIRED', statementId: id });
    await inventory.transact(tradeOf(scene.seller, scene.buyer, [[issued, 5, 5]], { autoApproval: false }));
    expect(await statusOf(`${issued}_5`)).toMatchObject({ status: 'ACTIVE' });
    await inventory.expire(issued);
    expect(await statusOf(`${issued}_6`)).toMatchObject({ status: 'EXPIRED' });
    expect(await statusOf(`${issued}_4`)).toMatchObject({ status: 'RETIRED' });
  });

  test.each(['11', '0', '01'])('%s of an issuance of 1 to 10 does not exist', async (serial) => {
    const { issued } = await retired();
    expect(
      await failureOf(inventory.register.GetCertificateStatus({ certificate: `${issued}_${serial}` })),
    ).toMatchObject({ code: 'not-found' });
  });
});

test('a retirement of the release before has a statement too', async () => {
  const { transactionId } = await retired();
  // What that release writes: a row of the ledger, and no word of statements.
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

test('a statement keeps its id, and is never deleted', async () => {
  const { transactionId } = await retired();
  for (const statement of [
    `update retirement_statement set id = 'AAAAAAAAAAAAAAAAAAAAAA' where transaction_id = '${transactionId}'`,
    `update retirement_statement set retired_at = now() where transaction_id = '${transactionId}'`,
    `delete from retirement_statement where transaction_id = '${transactionId}'`,
  ])
    await expect(inventory.transaction(statement)).rejects.toThrow(/keeps its id/);
});
