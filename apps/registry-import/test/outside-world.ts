import { access, serviceOnly } from '@saleschannel/auth';
import { services } from '@saleschannel/contracts';
import type { ApplyResult } from '@saleschannel/contracts/gen/inventory/v1/ApplyResult';
import type { Issuance__Output } from '@saleschannel/contracts/gen/inventory/v1/Issuance';
import type { OnrampRequest__Output } from '@saleschannel/contracts/gen/inventory/v1/OnrampRequest';
import type { RegistryFacility__Output } from '@saleschannel/contracts/gen/inventory/v1/RegistryFacility';
import type { Proposal } from '@saleschannel/contracts/gen/traders/v1/Proposal';
import type { SubmitProposalRequest__Output } from '@saleschannel/contracts/gen/traders/v1/SubmitProposalRequest';
import { invalidRequest, notFound, requestRefused, type DomainError } from '@saleschannel/errors';
import {
  createGrpcServer,
  createServiceIdentity,
  identityEnvironment,
  implement,
  type GrpcServer,
  type Registration,
} from '@saleschannel/grpc';
import { newId, serialFormOf } from '@saleschannel/primitives';
import { readEnvironment, silentLogger } from '@saleschannel/runtime';
import { identityVariables } from '@saleschannel/testing';

const callers = ['registry-import'];
const notHere = { callers, access: serviceOnly, handler: () => Promise.reject(notFound()) } as never;

async function serverOf(name: 'inventory' | 'traders', port: number, registration: Registration): Promise<GrpcServer> {
  const identity = await createServiceIdentity(name, readEnvironment(identityEnvironment, identityVariables(name)));
  const server = createGrpcServer({
    host: '127.0.0.1',
    port,
    services: [registration],
    tokens: identity.verifier,
    logger: silentLogger,
  });
  await server.start();
  return server;
}

const refused = (error: DomainError): ApplyResult => ({
  outcome: 'REFUSED',
  code: error.code,
  detail: error.message,
  violationsJson: JSON.stringify(error.violations),
});

/** The inventory's ledger as far as this service uses it: in memory, keyed and checked as the real one. */
export class FakeLedger {
  readonly facilities = new Map<string, { facility: RegistryFacility__Output; id: string }>();
  readonly issuances = new Map<string, Issuance__Output>();
  readonly onramps: OnrampRequest__Output[] = [];
  /** Changes of the ledger: what a repetition must not add to. */
  effects = 0;
  /** Runs before each batch; a test may let it wait or fail. */
  beforeApply: (keys: string[]) => Promise<void> = async () => undefined;
  /** Runs when a batch is applied and not yet answered. */
  afterApply: (keys: string[]) => Promise<void> = async () => undefined;
  #server: GrpcServer | undefined;

  get address(): string {
    if (!this.#server) throw new Error('the ledger is not there');
    return this.#server.address;
  }

  async start(port = 0): Promise<void> {
    this.#server = await serverOf('inventory', port, this.#registration());
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #registration(): Registration {
    return implement(services.ledger, {
      ApplyFacilities: {
        callers,
        access: serviceOnly,
        handler: async ({ facilities }) => {
          const keys = facilities.map((facility) => facility.code);
          await this.beforeApply(keys);
          const results = facilities.map((facility) => this.#applyFacility(facility));
          await this.afterApply(keys);
          return { results };
        },
      },
      ApplyIssuances: {
        callers,
        access: serviceOnly,
        handler: async ({ issuances }) => {
          const keys = issuances.map((issuance) => issuance.issuanceId);
          await this.beforeApply(keys);
          const results = issuances.map((issuance) => this.#applyIssuance(issuance));
          await this.afterApply(keys);
          return { results };
        },
      },
      Onramp: {
        callers,
        access: access.onramp,
        handler: async (request) => {
          this.onramps.push(request);
          return { data: Buffer.from(JSON.stringify({ type: 'ONRAMP', buyerId: request.traderId })) };
        },
      },
      GetFacility: {
        callers,
        access: access.getFacility,
        handler: async ({ code }) => {
          const stored = this.facilities.get(code);
          if (!stored) throw notFound();
          return { ...stored.facility, id: stored.id, supplierId: `supplier of ${stored.facility.supplier}` };
        },
      },
      DecideTransaction: notHere,
      ListFacilities: notHere,
      ListCertificates: notHere,
      ListRegistryTransactions: notHere,
      GetRegistryTransaction: notHere,
      GetCertificateHistory: notHere,
    });
  }

  #applyFacility(facility: RegistryFacility__Output): ApplyResult {
    if (!/^[A-Z]{2}$/.test(facility.country)) {
      return refused(
        invalidRequest('The record is not valid.', [
          { pointer: '#/country', code: 'pattern', detail: 'must be two upper-case letters' },
        ]),
      );
    }
    const stored = this.facilities.get(facility.code);
    if (stored && JSON.stringify(stored.facility) === JSON.stringify(facility)) return { outcome: 'UNCHANGED' };
    this.facilities.set(facility.code, { facility, id: stored?.id ?? newId() });
    this.effects += 1;
    return { outcome: stored ? 'UPDATED' : 'CREATED' };
  }

  #applyIssuance(issuance: Issuance__Output): ApplyResult {
    try {
      serialFormOf(issuance.firstSerial, issuance.lastSerial);
    } catch (error) {
      const { message } = error as DomainError;
      return refused(
        invalidRequest('The record is not valid.', [{ pointer: '#/firstSerial', code: 'serial', detail: message }]),
      );
    }
    if (!this.facilities.has(issuance.productionFacilityCode)) {
      const detail = 'There is no production facility with this code.';
      return refused(
        requestRefused(detail, [{ pointer: '#/productionFacilityCode', code: 'unknown-reference', detail }]),
      );
    }
    const stored = this.issuances.get(issuance.issuanceId);
    if (!stored) {
      this.issuances.set(issuance.issuanceId, issuance);
      this.effects += 1;
      return { outcome: 'CREATED' };
    }
    if (JSON.stringify(stored) === JSON.stringify(issuance)) return { outcome: 'UNCHANGED' };
    const detail = 'An issuance with this id exists with other content.';
    return refused(requestRefused(detail, [{ pointer: '#/issuanceId', code: 'contradiction', detail }]));
  }
}

/** The trader service's directory: a proposal is accepted by {@link FakeTraders.onboard}. */
export class FakeTraders {
  readonly proposals = new Map<string, Proposal>();
  readonly submitted: SubmitProposalRequest__Output[] = [];
  readonly #onboarded = new Map<string, string>();
  #server: GrpcServer | undefined;

  get address(): string {
    if (!this.#server) throw new Error('the traders are not there');
    return this.#server.address;
  }

  onboard(accountHolderId: string, salesChannelId: string): string {
    const traderId = newId();
    this.#onboarded.set(`${accountHolderId} ${salesChannelId}`, traderId);
    return traderId;
  }

  async start(): Promise<void> {
    const registration = implement(services.traderDirectory, {
      GetParties: notHere,
      FindOnboardedTraders: {
        callers,
        access: serviceOnly,
        handler: async ({ keys }) => ({
          parties: keys.flatMap(({ accountHolderId, salesChannelId }) => {
            const traderId = this.#onboarded.get(`${accountHolderId} ${salesChannelId}`);
            return traderId ? [{ accountHolderId, salesChannelId, traderId }] : [];
          }),
        }),
      },
      SubmitProposal: {
        callers,
        access: access.submitProposal,
        handler: async (request) => {
          this.submitted.push(request);
          const { accountHolderId, salesChannelId, name, businessId } = request;
          const key = `${accountHolderId} ${salesChannelId}`;
          const proposal = this.proposals.get(key) ?? {
            id: newId(),
            accountHolderId,
            salesChannelId,
            name,
            businessId,
            status: 'PENDING',
          };
          this.proposals.set(key, proposal);
          return proposal;
        },
      },
    });
    this.#server = await serverOf('traders', 0, registration);
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }
}
