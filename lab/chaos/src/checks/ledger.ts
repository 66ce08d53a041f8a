import type { Answers, Range } from './answers.ts';
import type { Findings } from './findings.ts';

interface Serials {
  readonly issuanceId: string;
  readonly first: bigint;
  readonly last: bigint;
}

export function parseSerials({ start, end }: Range): Serials {
  const cut = start.lastIndexOf('_');
  const parseSerial = (certificate: string): bigint => BigInt(certificate.slice(certificate.lastIndexOf('_') + 1));
  return { issuanceId: start.slice(0, cut), first: parseSerial(start), last: parseSerial(end) };
}

const countCertificates = ({ first, last }: Serials): bigint => last - first + 1n;

interface HeldSerials extends Serials {
  /** Name of the owner, for findings. */
  readonly holder: string;
}

/**
 * Compares issuances with holdings. Each serial must have one owner or be retired, and each owner must hold what it
 * received minus what it gave. Offramped certificates belong to their account holder again.
 */
export function checkLedger(answers: Answers, findings: Findings): void {
  checkHands(answers, findings);
  checkBalances(answers, findings);
  checkInventories(answers, findings);
}

function checkHands({ issuances, certificates, transactions }: Answers, findings: Findings): void {
  const held = certificates.map((each): HeldSerials => ({ ...parseSerials(each), holder: each.ownerId }));
  const retired = transactions
    .filter(({ type, status }) => type === 'RETIREMENT' && status === 'SUCCESS')
    .flatMap(({ transactionId, assets }) =>
      assets.map((each): HeldSerials => ({ ...parseSerials(each), holder: `retirement ${transactionId}` })),
    );
  const hands = Map.groupBy([...held, ...retired], ({ issuanceId }) => issuanceId);
  for (const issuance of issuances) {
    const { issuanceId, first, last } = parseSerials(issuance);
    let next = first;
    const parts = (hands.get(issuanceId) ?? []).toSorted((a, b) =>
      a.first < b.first ? -1 : a.first > b.first ? 1 : 0,
    );
    for (const [index, part] of parts.entries()) {
      if (part.first < next)
        findings.wrong.push(
          `Serial ${part.first} of ${issuanceId} has two owners: ${part.holder} and ${parts[index - 1]?.holder}.`,
        );
      if (part.first > next)
        findings.wrong.push(`Serials ${next} to ${part.first - 1n} of ${issuanceId} have no owner.`);
      if (part.last >= next) next = part.last + 1n;
    }
    if (next <= last) findings.wrong.push(`Serials ${next} to ${last} of ${issuanceId} have no owner.`);
    if (next > last + 1n) findings.wrong.push(`Serials up to ${next - 1n} of ${issuanceId} are held, but not issued.`);
    hands.delete(issuanceId);
  }
  for (const issuanceId of hands.keys()) findings.wrong.push(`Certificates of ${issuanceId} are held, but not issued.`);
}

/** All account holders as one owner, because a transaction does not name the holder of offramped certificates. */
const HOLDERS = 'account holders';

/** Compares, per issuance and owner, the successful transactions with the held bundles. */
function checkBalances({ accountHolders, certificates, transactions }: Answers, findings: Findings): void {
  const holders = new Set(accountHolders.map(({ accountHolderId }) => accountHolderId));
  const balances = new Map<string, bigint>();
  const add = (serials: Serials, owner: string | null, sign: 1n | -1n): void => {
    if (owner === null) return;
    const account = `${serials.issuanceId} of ${holders.has(owner) ? HOLDERS : owner}`;
    balances.set(account, (balances.get(account) ?? 0n) + sign * countCertificates(serials));
  };
  for (const { type, status, sellerId, buyerId, assets } of transactions) {
    if (status !== 'SUCCESS') continue;
    for (const serials of assets.map(parseSerials)) {
      add(serials, type === 'OFFRAMP' ? HOLDERS : buyerId, 1n);
      add(serials, sellerId, -1n);
    }
  }
  for (const certificate of certificates) add(parseSerials(certificate), certificate.ownerId, -1n);
  for (const [account, difference] of balances)
    if (difference !== 0n)
      findings.wrong.push(`The transactions of ${account} add up to ${difference} more than is held.`);
}

/** Checks that each trader's inventory equals the registry's data. */
function checkInventories({ channels, certificates }: Answers, findings: Findings): void {
  const listable = Map.groupBy(
    certificates.filter(({ status, salesChannelId }) => status === 'LISTABLE' && salesChannelId !== null),
    ({ ownerId, salesChannelId }) => `${ownerId} in ${salesChannelId}`,
  );
  const formatRanges = (ranges: readonly Range[]): string[] => ranges.map(({ start, end }) => `${start} to ${end}`);
  for (const { id, inventories } of channels) {
    for (const [traderId, bundles] of inventories) {
      const listed = new Set(formatRanges(bundles));
      const registered = new Set(formatRanges(listable.get(`${traderId} in ${id}`) ?? []));
      const differing = [...listed, ...registered].filter((range) => listed.has(range) !== registered.has(range));
      if (differing.length > 0)
        findings.wrong.push(
          `The inventory of ${traderId} differs from the registry in ${differing.slice(0, 3).join(', ')}.`,
        );
    }
  }
}
