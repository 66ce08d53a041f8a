import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Answers, Range, Statement, StatementKey } from './answers.ts';
import type { Findings } from './findings.ts';

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
