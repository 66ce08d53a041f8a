import { Replay, type DecisionOrder, type RecordedLine, type ReplayedBundle } from '../domain/replay.ts';
import { groupAdjacent, joinSorted, type DatabaseCheck, type Snapshot } from './database-check.ts';

const time = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;

/** Selects lines in the order of their insertion, with their transactions. */
const selectLines = (condition: string): string => `
  select line.issuance_id::text as "issuanceId", transaction.id as "transactionId", type, status,
    status in ('REJECTED', 'FAILED') or completed_at <> created_at as "wasPending",
    ${time('created_at')} as "createdAt", ${time('completed_at')} as "completedAt",
    sales_channel_id as "salesChannelId", seller_id as "sellerId", buyer_id as "buyerId",
    account_holder_id as "accountHolderId", bundle_id::text as "bundleId", line.first::text, line.last::text,
    source_bundle_id::text as "sourceBundleId", source_first::text as "sourceFirst", source_last::text as "sourceLast",
    before_bundle_id::text as "beforeBundleId", merge.merges
  from transaction_line as line join ledger_transaction as transaction on transaction.id = line.transaction_id
  left join (
    select transaction_id, issuance_id, jsonb_agg(
      jsonb_build_object('absorbed', absorbed_bundle_id::text, 'into', into_bundle_id::text, 'first', first::text,
        'last', last::text) order by id
    ) as merges
    from bundle_merge ${condition} group by transaction_id, issuance_id
  ) as merge on merge.transaction_id = line.transaction_id and merge.issuance_id = line.issuance_id
  ${condition.replace('issuance_id', 'line.issuance_id')}
  order by line.issuance_id, transaction.number, line.ordinal`;

const BUNDLES = `
  select issuance_id::text as "issuanceId", id::text, (previous_last + 1)::text as first, last::text, state,
    owner_id as "ownerId", sales_channel_id as "salesChannelId"
  from bundle where state not in ('ROOT', 'END') order by bundle.issuance_id, bundle.last`;

type BundleRow = Omit<ReplayedBundle, 'first' | 'last'> & {
  readonly issuanceId: string;
  readonly first: string;
  readonly last: string;
};

const toText = ({ id, first, last, state, ownerId, salesChannelId }: ReplayedBundle | BundleRow): string =>
  `bundle ${id}, ${state} of ${ownerId} in ${salesChannelId ?? 'no channel'}, from ${first} to ${last}`;

interface ReplayResult {
  readonly contradiction: string | undefined;
  readonly bundles: readonly string[];
}

async function replayLines(
  lines: Iterable<RecordedLine> | AsyncIterable<RecordedLine>,
  order: DecisionOrder,
): Promise<ReplayResult> {
  const replay = new Replay(order);
  let contradiction: string | undefined;
  for await (const line of lines) contradiction ??= replay.add(line);
  contradiction ??= replay.end();
  return { contradiction, bundles: replay.bundles().map(toText) };
}

const isSound = ({ contradiction, bundles }: ReplayResult, current: readonly string[]): boolean =>
  contradiction === undefined && bundles.length === current.length && bundles.every((text, at) => text === current[at]);

/**
 * Clocks of replicas differ, so a decision may have an earlier time than a step that preceded it. If the replay by time
 * does not fit, a second one applies decisions when they are needed.
 */
async function check(
  snapshot: Snapshot,
  lines: readonly RecordedLine[],
  current: readonly string[],
  issuanceId: string,
) {
  const first = await replayLines(lines, 'by-time');
  if (isSound(first, current)) return undefined;
  const second = await replayLines(
    snapshot.rows<RecordedLine>(selectLines('where issuance_id = $1'), [issuanceId]),
    'when-needed',
  );
  if (isSound(second, current)) return undefined;
  if (first.contradiction !== undefined) return first.contradiction;
  const [missing] = first.bundles.filter((text) => !current.includes(text));
  const [extra] = current.filter((text) => !first.bundles.includes(text));
  return `the replay yields ${missing ?? 'no other bundle'}; the ledger has ${extra ?? 'no such bundle'}`;
}

/** Compares the bundles that a replay of all transactions yields with the current ones. */
export const replayCheck: DatabaseCheck = {
  name: 'replay',
  about: 'Replaying issuances, transactions, decisions and merges yields the current bundles',
  isTransient: false,
  async run({ inventory }, recorder) {
    const replayed = groupAdjacent(inventory.rows<RecordedLine>(selectLines('')), ({ issuanceId }) => issuanceId);
    const current = groupAdjacent(inventory.rows<BundleRow>(BUNDLES), ({ issuanceId }) => issuanceId);
    for await (const [lines, bundles] of joinSorted(
      replayed,
      ({ key }) => key,
      current,
      ({ key }) => key,
    )) {
      const issuanceId = lines?.key ?? bundles?.key ?? 'none';
      recorder.countRows(lines?.rows.length ?? 0);
      const fault = await check(inventory, lines?.rows ?? [], (bundles?.rows ?? []).map(toText), issuanceId);
      if (fault !== undefined) recorder.report(issuanceId, fault);
    }
  },
};
