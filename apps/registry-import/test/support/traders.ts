import { notFound } from '@saleschannel/errors';
import type { Call, Registration, RequestOf, ResponseOf } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { neighbour } from '@saleschannel/testing';
import { requirePrincipal } from './ledger.ts';

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
