import { randomUUID } from 'node:crypto';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, collect } from '@saleschannel/testing';
import type { States } from '@saleschannel/testing/contract-tests';
import type { Inventory } from './inventory.ts';
import { FACILITY, createIssuance } from './issuances.ts';
import { holderOf, createRetirement, createTrade } from './transfers.ts';

/** GSRNs for serials of the old form, unique to each state. */
let gsrns = 643002406900000000n;
/** Codes of unknown facilities. */
let codes = 0;
const newCode = (): string => `C${String((codes += 1)).padStart(5, '0')}`;

/** States in the contracts of the ledger's consumers. */
export function createStates(inventory: Inventory): States {
  const createTraderWithCertificates = async (first?: string, last?: string) => {
    const { channel, seller: trader, issue } = inventory.scene();
    const issuance = await issue(first, last);
    return { channel, trader, start: `${issuance}_${first ?? 1}`, end: `${issuance}_${last ?? 10}` };
  };
  const readDocument = async <T>(document: Promise<{ data: Buffer }>): Promise<T> =>
    JSON.parse((await document).data.toString()) as T;
  const executeTrade = async (autoApproval: boolean) => {
    const { channel, seller, buyer, issue } = inventory.scene();
    const holder = holderOf(seller);
    const parts = [[await issue(), 1, 4]] as const;
    const trade = createTrade(seller, buyer, parts, { autoApproval, accountHolderId: holder });
    return { channel, seller, buyer, holder, transaction: await inventory.settleTransaction(trade) };
  };
  const executeRetirement = async (publication: 'LINK' | 'PUBLIC') => {
    const { channel, seller, issue } = inventory.scene();
    const issuance = await issue();
    const statement = { publication, beneficiaryHiddenUntil: null };
    const transaction = await inventory.settleTransaction(createRetirement(seller, [[issuance, 1, 4]], { statement }));
    const administrator = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
    const detail = await readDocument<{ statement: { id: string }; completedAt: string }>(
      inventory.gateway.GetTransactionDetail({ transactionId: transaction }, administrator),
    );
    return {
      channel,
      transaction,
      statement: detail.statement.id,
      retiredAt: detail.completedAt,
      certificate: `${issuance}_1`,
      beneficiary: 'ADA',
    };
  };
  return {
    async 'a trader with certificates, of which a version is known'() {
      const { channel, trader } = await createTraderWithCertificates();
      const viewer = await asUser(channel, ['ASSET_VIEWER']);
      const [first] = await collect(inventory.gateway.ListInventory({ traderId: trader }, viewer));
      return { channel, trader, version: first?.version ?? 'none' };
    },
    'a trade that was carried out': () => executeTrade(true),
    // The fake consumers have applied no changes of status.
    'a trade of which nobody has heard': () => executeTrade(true),
    async 'an act on a sales channel, and one of the registry'() {
      const { channel, transaction } = await executeTrade(false);
      await inventory.approve(transaction);
      return { channel };
    },
    'a trade that waits for approval': () => executeTrade(false),
    'a channel without transactions, and an id of none': () =>
      Promise.resolve({ channel: inventory.scene().channel, nothing: newId() }),
    'a retirement': () => executeRetirement('LINK'),
    'a retirement whose statement is public': () => executeRetirement('PUBLIC'),
    'an id of no statement': () => Promise.resolve({ nothing: newId() }),
    async 'a production facility and its supplier'() {
      const { id, supplierId } = await inventory.registryGateway.GetFacility({ code: FACILITY }, await asRegistry());
      if (id === undefined || supplierId === undefined) throw new Error('the facility has no ids');
      return { channel: newId(), facility: id, supplier: supplierId };
    },
    'a trader with certificates': () => createTraderWithCertificates(),
    async 'a trader with certificates, and certificates of another trader'() {
      const { start: foreignStart, end: foreignEnd } = await createTraderWithCertificates();
      return { ...(await createTraderWithCertificates()), foreignStart, foreignEnd };
    },
    async 'a trader with certificates of old serials'() {
      gsrns += 1n;
      const [first, last] = [`${gsrns}0000000001`, `${gsrns}0000000010`];
      return { ...(await createTraderWithCertificates(first, last)), first, last };
    },
    'a code of no production facility': () => Promise.resolve({ holder: newId(), code: newCode() }),
    'a production facility': () => Promise.resolve({ holder: newId(), code: FACILITY }),
    'a production facility, and an id of no issuance': () =>
      Promise.resolve({ holder: newId(), code: FACILITY, issuance: randomUUID() }),
    'a code of no production facility, and an id of no issuance': () =>
      Promise.resolve({ holder: newId(), code: newCode(), issuance: randomUUID() }),
    async 'an account holder with certificates and a trader'() {
      const { channel, seller: trader } = inventory.scene();
      const issuance = createIssuance(holderOf(trader));
      await inventory.applyIssuances(issuance);
      const { issuanceId } = issuance;
      const [start, end, last] = [`${issuanceId}_1`, `${issuanceId}_5`, `${issuanceId}_10`];
      return { holder: holderOf(trader), issuance: issuanceId, channel, trader, start, end, last, key: newId() };
    },
    'an account holder that has moved nothing': () =>
      Promise.resolve({ holder: newId(), channel: newId(), key: newId() }),
  };
}
