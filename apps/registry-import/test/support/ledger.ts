import { DomainError, idempotencyKeyReused, invalidRequest, notFound, requestRefused } from '@saleschannel/errors';
import { toProblem, type Call, type Registration, type RequestOf, type ResponseOf } from '@saleschannel/grpc';
import { newId, deriveSerialForm } from '@saleschannel/primitives';
import { neighbour } from '@saleschannel/testing';
import { toExample } from '@saleschannel/testing/contracts';
import { moved, named } from '../contracts/inventory.ts';

type Facility = RequestOf<'ledger.ApplyFacilities'>['facilities'][number];
type Issuance = RequestOf<'ledger.ApplyIssuances'>['issuances'][number];
type Fence = Pick<RequestOf<'ledger.ApplyFacilities'>, 'fence' | 'fenceScope'>;
type ApplyResult = NonNullable<ResponseOf<'ledger.ApplyFacilities'>['results']>[number];

const created: ApplyResult = { outcome: 'OUTCOME_CREATED' };
const updated: ApplyResult = { outcome: 'OUTCOME_UPDATED' };
const unchanged: ApplyResult = { outcome: 'OUTCOME_UNCHANGED' };
const refused = (error: DomainError): ApplyResult => ({ outcome: 'OUTCOME_REFUSED', problem: toProblem(error) });

/** Requires an actor, like the real service. */
function requirePrincipal({ principalToken }: Call): void {
  if (principalToken === undefined) throw new DomainError('unauthenticated', 'No principal.');
}

/** An in-memory ledger with the keys and checks of the real one, as far as this service uses them. */
export class FakeLedger {
  readonly facilities = new Map<string, { facility: Facility; id: string }>();
  readonly issuances = new Map<string, Issuance>();
  readonly onramps: RequestOf<'ledger.Onramp'>[] = [];
  readonly #keyed = new Map<string, { digest: string; results: ApplyResult[] }>();
  /** Largest fence seen, by scope. */
  readonly #fences = new Map<string, bigint>();
  /** Changes of the ledger. Repeats must not add to them. */
  effects = 0;
  /** Runs before each batch, and may wait or fail. */
  beforeApply: (keys: string[]) => Promise<void> = async () => undefined;
  /** Runs when a batch is applied but not yet answered. */
  afterApply: (keys: string[]) => Promise<void> = async () => undefined;
  /** Runs when a batch is applied or refused. */
  afterCall: () => void = () => undefined;

  registration(): Registration {
    return neighbour('ledger', ['registry-import'], {
      ApplyFacilities: ({ facilities, ...fence }) =>
        this.#apply(
          fence,
          facilities,
          ({ code }) => code,
          (facility) => this.#applyFacility(facility),
        ),
      ApplyIssuances: async ({ issuances, repeatable, ...fence }) => {
        const known = repeatable && this.#keyed.get(repeatable.key);
        if (known && known.digest !== repeatable.digest) throw idempotencyKeyReused();
        if (known) return { results: known.results, replayed: true };
        const { results } = await this.#apply(
          fence,
          issuances,
          ({ issuanceId }) => issuanceId,
          (issuance) => this.#applyIssuance(issuance),
        );
        if (repeatable) this.#keyed.set(repeatable.key, { digest: repeatable.digest, results });
        return { results };
      },
      Onramp: async (request, call) => this.#onramp(request, call),
      GetFacility: async ({ code }, call) => {
        requirePrincipal(call);
        const stored = this.facilities.get(code);
        if (!stored) throw notFound();
        return { ...stored.facility, id: stored.id, supplierId: `supplier of ${stored.facility.supplier}` };
      },
    });
  }

  /** The ledger's RPCs for users of account holders. */
  holdingsRegistration(): Registration {
    return neighbour('holdings', ['registry-import'], {
      OnrampHoldings: async (request, call) => this.#onramp(request, call, named),
    });
  }

  #onramp(request: RequestOf<'ledger.Onramp'>, call: Call, names: object = {}): ResponseOf<'ledger.Onramp'> {
    requirePrincipal(call);
    const before = this.onramps.some(({ idempotencyKey }) => idempotencyKey === request.idempotencyKey);
    if (!before && request.traderId === '') throw notFound();
    this.onramps.push(request);
    const { accountHolderId: holder, salesChannelId: channel, traderId: trader } = request;
    const answer = toExample(moved({ holder, channel, trader }, names)) as ResponseOf<'ledger.Onramp'>;
    return { ...answer, replayed: before };
  }

  async #apply<T>(
    fence: Fence,
    records: T[],
    keyOf: (record: T) => string,
    apply: (record: T) => ApplyResult,
  ): Promise<{ results: ApplyResult[] }> {
    // An empty call is a probe.
    if (records.length === 0) return { results: [] };
    const keys = records.map(keyOf);
    await this.beforeApply(keys);
    try {
      return await this.#applyInTurn(fence, records, apply, keys);
    } finally {
      this.afterCall();
    }
  }

  async #applyInTurn<T>(
    { fence, fenceScope = '' }: Fence,
    records: T[],
    apply: (record: T) => ApplyResult,
    keys: string[],
  ): Promise<{ results: ApplyResult[] }> {
    if (fence !== undefined) {
      const seen = this.#fences.get(fenceScope) ?? 0n;
      if (BigInt(fence) < seen) throw new DomainError('forbidden', 'Another worker has the lease.');
      this.#fences.set(fenceScope, BigInt(fence));
    }
    const results = records.map(apply);
    await this.afterApply(keys);
    return { results };
  }

  #applyFacility(facility: Facility): ApplyResult {
    if (!/^[A-Z]{2}$/.test(facility.country)) {
      const detail = 'must be two upper-case letters';
      return refused(invalidRequest('The record is not valid.', [{ pointer: '#/country', code: 'pattern', detail }]));
    }
    const stored = this.facilities.get(facility.code);
    if (stored && JSON.stringify(stored.facility) === JSON.stringify(facility)) return unchanged;
    this.facilities.set(facility.code, { facility, id: stored?.id ?? newId() });
    this.effects += 1;
    return stored ? updated : created;
  }

  #applyIssuance(issuance: Issuance): ApplyResult {
    const form = deriveSerialForm(issuance.firstSerial, issuance.lastSerial);
    if ('code' in form) {
      return refused(invalidRequest('The record is not valid.', [{ pointer: '#/firstSerial', ...form }]));
    }
    if (!this.facilities.has(issuance.productionFacilityCode)) {
      const detail = 'There is no production facility with this code.';
      const pointer = '#/productionFacilityCode';
      return refused(requestRefused(detail, [{ pointer, code: 'unknown-reference', detail }]));
    }
    const stored = this.issuances.get(issuance.issuanceId);
    if (!stored) {
      this.issuances.set(issuance.issuanceId, issuance);
      this.effects += 1;
      return created;
    }
    if (JSON.stringify(stored) === JSON.stringify(issuance)) return unchanged;
    const detail = 'An issuance with this id exists with other content.';
    return refused(requestRefused(detail, [{ pointer: '#/issuanceId', code: 'contradiction', detail }]));
  }
}

interface Key {
  accountHolderId: string;
  salesChannelId: string;
}

const keyOf = ({ accountHolderId, salesChannelId }: Key): string => `${accountHolderId} ${salesChannelId}`;

/** An in-memory directory of traders. {@link FakeTraders.onboard} accepts a proposal. */
export class FakeTraders {
  readonly submitted: RequestOf<'traderDirectory.SubmitProposal'>[] = [];
  readonly #proposals = new Map<string, ResponseOf<'traderDirectory.SubmitProposal'>>();
  readonly #onboarded = new Map<string, string>();

  onboard(accountHolderId: string, salesChannelId: string): string {
    const traderId = newId();
    this.#onboarded.set(keyOf({ accountHolderId, salesChannelId }), traderId);
    return traderId;
  }

  registration(): Registration {
    return neighbour('traderDirectory', ['registry-import'], {
      FindOnboardedTraders: async ({ keys }) => ({
        parties: keys.flatMap(({ accountHolderId, salesChannelId }) => {
          const traderId = this.#onboarded.get(keyOf({ accountHolderId, salesChannelId }));
          return traderId ? [{ accountHolderId, salesChannelId, traderId }] : [];
        }),
      }),
      SubmitProposal: async (request, call) => this.#submit(request, call),
      SubmitHolderProposal: async (request, call) => this.#submit(request, call),
      FindSubmittedProposal: async ({ proposalId }, call) => {
        requirePrincipal(call);
        const found = [...this.#proposals.values()].find(({ id }) => id === proposalId);
        if (!found) throw notFound();
        return found;
      },
      PageSubmittedProposals: async ({ accountHolderId }, call) => {
        requirePrincipal(call);
        const proposals = [...this.#proposals.values()].filter((each) => each.accountHolderId === accountHolderId);
        return { total: String(proposals.length), proposals };
      },
    });
  }

  #submit(
    request: RequestOf<'traderDirectory.SubmitProposal'>,
    call: Call,
  ): ResponseOf<'traderDirectory.SubmitProposal'> {
    requirePrincipal(call);
    this.submitted.push(request);
    const { address: _address, ...applicant } = request;
    const proposal = this.#proposals.get(keyOf(request)) ?? { id: newId(), ...applicant, status: 'PENDING' };
    this.#proposals.set(keyOf(request), proposal);
    return proposal;
  }
}
