import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Answers, Range, Statement, StatementKey } from './answers.ts';
import { describeCall, isSuccess, type Call, type Findings } from './findings.ts';
import { parseSerials } from './ledger.ts';

/** Checks that every retirement has a statement about its certificates, signed with a published key. */
export function checkStatements({ statements, statementKeys, transactions }: Answers, findings: Findings): void {
  const retired = new Map(transactions.map((each) => [each.transactionId, each]));
  for (const [transactionId, statement] of statements) {
    if (!statement) {
      findings.lost.push(`Retirement ${transactionId} has no statement.`);
      continue;
    }
    const fault = findFault(statement, statementKeys);
    if (fault !== undefined) findings.wrong.push(`The statement of retirement ${transactionId} ${fault}.`);
    const formatRanges = (ranges: readonly Range[]): string =>
      ranges
        .map(({ start, end }) => `${start} ${end}`)
        .toSorted()
        .join();
    if (formatRanges(statement.certificates) !== formatRanges(retired.get(transactionId)?.assets ?? []))
      findings.wrong.push(`The statement of retirement ${transactionId} names other certificates.`);
  }
}

/** Checks an SD-JWT (RFC 9901) as docs/integrate/statements.md describes. Three members are not signed. */
function findFault(statement: Statement, keys: readonly StatementKey[]): string | undefined {
  const { signature: text, publication: _p, transactionId: _t, beneficiaryHiddenUntil: _b, ...content } = statement;
  const [jws = '', ...disclosures] = text.split('~');
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const decode = <T>(part: string): T => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as T;
  const { kid } = decode<{ kid: string }>(header);
  const jwk = keys.find((key) => key.kid === kid);
  if (!jwk) return 'names an unpublished key';
  const key = createPublicKey({ key: jwk as unknown as JsonWebKey, format: 'jwk' });
  if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
    return 'is not signed by its key';
  const {
    _sd: digests,
    _sd_alg,
    ...signed
  } = decode<{ _sd: string[]; _sd_alg: string } & Record<string, unknown>>(payload);
  for (const disclosure of disclosures.slice(0, -1)) {
    if (!digests.includes(createHash('sha256').update(disclosure).digest('base64url')))
      return 'discloses unsigned members';
    const [, name, value] = decode<[string, string, unknown]>(disclosure);
    signed[name] = value;
  }
  return isDeepStrictEqual(content, signed) ? undefined : 'differs from its signed content';
}

/** Checks that accepted traders, account holders and issuances exist once. */
export function checkRecords(calls: readonly Call[], answers: Answers, findings: Findings): void {
  const { channels, accountHolders, issuances, transactions } = answers;
  const traders = Map.groupBy(
    channels.flatMap(({ id, traders: all }) => all.map((trader) => ({ channel: id, ...trader }))),
    ({ channel, businessId }) => `${channel} ${businessId}`,
  );
  const traderIds = new Map(channels.map((channel) => [channel.id, new Set(channel.traders.map(({ id }) => id))]));
  const holders = Map.groupBy(accountHolders, ({ businessId }) => businessId);
  const issued = Map.groupBy(issuances, ({ issuanceId }) => issuanceId);
  const issuing = Map.groupBy(transactions, ({ type, transactionId }) =>
    type === 'ISSUANCE' ? transactionId : undefined,
  );
  const expectOne = (call: Call, name: string, count: number): void => {
    if (count === 0) findings.lost.push(`${describeCall(call)} was accepted, but ${name} does not exist.`);
    if (count > 1) findings.doubled.push(`${describeCall(call)} was accepted, but ${name} exists ${count} times.`);
  };
  for (const call of calls) {
    if (!call.outcome || !isSuccess(call.outcome)) continue;
    const { businessId } = (call.body ?? {}) as { businessId?: string };
    if (call.kind === 'create trader')
      expectOne(call, `${businessId}`, traders.get(`${call.actor} ${businessId}`)?.length ?? 0);
    if (call.kind === 'create account holder')
      expectOne(call, `${businessId}`, holders.get(String(businessId))?.length ?? 0);
    if (call.kind === 'accept proposal') {
      const { onboardedTraderId = '' } = call.outcome.body as { onboardedTraderId?: string };
      expectOne(call, `trader ${onboardedTraderId}`, traderIds.get(call.actor)?.has(onboardedTraderId) ? 1 : 0);
    }
    for (const { issuanceId, volume } of call.issued ?? []) {
      const found = issued.get(issuanceId) ?? [];
      expectOne(call, `issuance ${issuanceId}`, found.length);
      expectOne(call, `the transaction of issuance ${issuanceId}`, issuing.get(issuanceId)?.length ?? 0);
      for (const { first, last } of found.map(parseSerials))
        if (String(last - first + 1n) !== volume)
          findings.wrong.push(`${issuanceId} does not have the volume ${volume}.`);
    }
    if (call.kind !== 'import') continue;
    const { end, issued: lines = [] } = call;
    if (!end) findings.lost.push(`${describeCall(call)} was accepted, but never ended.`);
    else if (end.status !== 'COMPLETED' || end.linesApplied !== lines.length)
      findings.lost.push(
        `${describeCall(call)} is ${end.status}, with ${end.linesApplied} of ${lines.length} lines applied.`,
      );
  }
}

/** Checks that no object is in two sales channels, and that deleted keys are rejected. */
export function checkAccess({ channels, deletedKeys }: Answers, findings: Findings): void {
  const occurrences = channels.flatMap(({ id, transactions, traders, events, tasks }) =>
    [...transactions, ...traders, ...events, ...tasks.map(({ taskId }) => ({ id: taskId }))].map((record) => ({
      channel: id,
      id: record.id,
    })),
  );
  for (const [id, group] of Map.groupBy(occurrences, (place) => place.id)) {
    const seen = new Set(group.map(({ channel }) => channel));
    if (seen.size > 1) findings.wrong.push(`${id} is visible to ${[...seen].join(' and ')}.`);
  }
  for (const { key, gateway, status } of deletedKeys)
    if (status !== 401) findings.wrong.push(`Deleted key ${key} was answered ${status} at ${gateway}.`);
}
