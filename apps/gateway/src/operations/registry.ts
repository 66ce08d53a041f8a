import type { RegistryFacility__Output } from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
import type { AccountHolder__Output } from '@saleschannel/contracts/gen/registry_import/v1/AccountHolder';
import type { Proposal__Output } from '@saleschannel/contracts/gen/registry_import/v1/Proposal';
import type { Clients } from '../clients.ts';
import { json, rendered, type Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Handler } from '../http/pipeline.ts';

interface AccountHolderCreate {
  name: string;
  businessId: string;
  address: { postalCode: string; city: string; country: string; street1: string; street2?: string | null };
  autoApproval?: boolean | null;
}

interface FacilityPut {
  name: string;
  country: string;
  methodologyCodes: string[];
  supplier: string;
  gsrn?: string | null;
  creditingPeriod?: { start: string; end: string } | null;
}

interface OnrampBody {
  salesChannelId: string;
  assets: { start: string; end: string }[];
}

interface ProposalSubmit {
  accountHolderId: string;
  salesChannelId: string;
}

const accountHolderOf = ({
  accountHolderId,
  name,
  businessId,
  address,
  autoApproval,
  registeredOn,
}: AccountHolder__Output) => {
  const { postalCode = '', city = '', country = '', street1 = '', street2 = null } = address ?? {};
  return {
    accountHolderId,
    name,
    businessId,
    address: { postalCode, city, country, street1, street2 },
    autoApproval,
    registeredOn,
  };
};

const facilityOf = (facility: RegistryFacility__Output) => {
  const { code, gsrn = null, name, country, methodologyCodes, supplier, creditingPeriod, id, supplierId } = facility;
  const period = creditingPeriod && { start: creditingPeriod.start, end: creditingPeriod.end };
  return {
    productionFacilityId: id,
    code,
    gsrn,
    name,
    country,
    methodologyCodes,
    supplierId,
    supplier,
    creditingPeriod: period,
  };
};

const proposalOf = ({
  id,
  accountHolderId,
  salesChannelId,
  name,
  businessId,
  onboardedTraderId,
  status,
}: Proposal__Output) => ({
  id,
  accountHolderId,
  salesChannelId,
  name,
  businessId,
  onboardedTraderId: onboardedTraderId ?? null,
  status,
});

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export const pageOf = ({ query }: Exchange): Page => ({
  limit: query['limit'] as number,
  offset: query['offset'] as number,
});

export const paginated = (total: string, { limit, offset }: Page, data: unknown[]): Answer =>
  json(200, { pagination: { total: Number(total), offset, limit }, data });

/** A page whose records inventory rendered. */
const paginatedBytes = ({ total, data }: { total: string; data: Buffer }, { limit, offset }: Page): Answer =>
  rendered(
    200,
    Buffer.concat([
      Buffer.from(`{"pagination":${JSON.stringify({ total: Number(total), offset, limit })},"data":`),
      data,
      Buffer.from('}'),
    ]),
  );

const located = (path: string, id: string) => ({ Location: `/Registry/api/${path}/${encodeURIComponent(id)}` });

/** Account holders and the proposals they make. */
export const accountHolders = ({ registryImport }: Clients) =>
  ({
    listAccountHolders: async (exchange) => {
      const page = pageOf(exchange);
      const { total, accountHolders: found } = await registryImport.ListAccountHolders(page, exchange.call);
      return paginated(total, page, found.map(accountHolderOf));
    },
    createAccountHolder: async ({ call, body }) => {
      const { autoApproval, address, ...fields } = body as AccountHolderCreate;
      const request = { ...fields, address: withoutNulls(address), ...withoutNulls({ autoApproval }) };
      const { accountHolder, created } = await registryImport.CreateAccountHolder(request, call);
      if (!accountHolder) throw new Error('registry-import answered without the account holder');
      return json(
        created ? 201 : 200,
        accountHolderOf(accountHolder),
        located('account-holders', accountHolder.accountHolderId),
      );
    },
    getAccountHolder: async ({ call, path }) =>
      json(
        200,
        accountHolderOf(
          await registryImport.GetAccountHolder({ accountHolderId: path['accountHolderId'] ?? '' }, call),
        ),
      ),
    updateAccountHolder: async ({ call, path, body }) => {
      const request = { accountHolderId: path['accountHolderId'] ?? '', mergePatchJson: JSON.stringify(body) };
      return json(200, accountHolderOf(await registryImport.UpdateAccountHolder(request, call)));
    },
    onramp: async ({ call, path, body }) => {
      const request = { accountHolderId: path['accountHolderId'] ?? '', ...(body as OnrampBody) };
      const { data } = await registryImport.Onramp(request, call);
      const { transactionId } = JSON.parse(data.toString()) as { transactionId: string };
      return rendered(201, data, located('transactions', transactionId));
    },
    submitProposal: async ({ call, body }) =>
      json(201, proposalOf(await registryImport.SubmitProposal(body as ProposalSubmit, call))),
  }) satisfies Record<string, Handler>;

/** Facilities, certificates and transactions as the registry sees them. */
export const ledger = ({ ledger: service, registryImport }: Clients) =>
  ({
    listFacilities: async (exchange) => {
      const page = pageOf(exchange);
      const { total, facilities } = await service.ListFacilities(page, exchange.call);
      return paginated(total, page, facilities.map(facilityOf));
    },
    getFacility: async ({ call, path }) =>
      json(200, facilityOf(await service.GetFacility({ code: path['code'] ?? '' }, call))),
    putFacility: async ({ call, path, body }) => {
      const code = path['code'] ?? '';
      const { facility, created } = await registryImport.PutFacility(
        { code, ...withoutNulls(body as FacilityPut) },
        call,
      );
      if (!facility) throw new Error('registry-import answered without the facility');
      return json(
        created ? 201 : 200,
        facilityOf(facility),
        created ? located('production-facilities', facility.code) : undefined,
      );
    },
    listCertificates: async (exchange) => {
      const page = pageOf(exchange);
      return paginatedBytes(await service.ListCertificates(page, exchange.call), page);
    },
    getCertificateHistory: async ({ call, path }) =>
      rendered(200, (await service.GetCertificateHistory({ certificate: path['certificate'] ?? '' }, call)).data),
    listRegistryTransactions: async (exchange) => {
      const page = pageOf(exchange);
      return paginatedBytes(await service.ListRegistryTransactions(page, exchange.call), page);
    },
    getRegistryTransaction: async ({ call, path }) =>
      rendered(200, (await service.GetRegistryTransaction({ transactionId: path['transactionId'] ?? '' }, call)).data),
    approveTransaction: async ({ call, path }) =>
      rendered(
        200,
        (await service.DecideTransaction({ transactionId: path['transactionId'] ?? '', decision: 'APPROVE' }, call))
          .data,
      ),
    rejectTransaction: async ({ call, path }) =>
      rendered(
        200,
        (await service.DecideTransaction({ transactionId: path['transactionId'] ?? '', decision: 'REJECT' }, call))
          .data,
      ),
  }) satisfies Record<string, Handler>;

/** A missing member and null mean the same in the registry API. */
function withoutNulls<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], null | undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as never;
}
