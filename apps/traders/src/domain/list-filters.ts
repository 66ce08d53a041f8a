import { id, NAME_LENGTH_AT_MOST, parameters, parse, searchText, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';

/** What lists are filtered by, as it comes. */

const status = z.enum(['PENDING', 'ACCEPTED', 'REJECTED']).optional();
const title = 'The list cannot be filtered this way.';

const proposalStatus = z.object({ status });

/** @param parameter what clients call it. @throws DomainError 'invalid-request' that names the parameter */
export const readProposalStatus = (asked: unknown, parameter: string): z.output<typeof proposalStatus> =>
  parse(proposalStatus, asked, title, parameters({ status: parameter }));

const proposalSearch = z.object({ search: searchText.optional() });

/** What proposals are searched for. @throws DomainError 'invalid-request' that names the parameter */
export const readProposalSearch = (search: unknown): string | undefined =>
  parse(proposalSearch, { search }, title, parameters({ search: 'q' })).search;

const submittedFilter = z.object({ status, accountHolderId: id.optional() });
const submittedPlace = parameters({ status: 'status', accountHolderId: 'accountHolderId' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readSubmittedFilter = (asked: unknown): z.output<typeof submittedFilter> =>
  parse(submittedFilter, asked, title, submittedPlace);

const traderFilter = z.object({
  namePrefix: searchText.optional(),
  namePart: searchText.optional(),
  businessId: text({ min: 1, max: NAME_LENGTH_AT_MOST }).optional(),
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readTraderFilter = (filter: unknown): z.output<typeof traderFilter> =>
  parse(traderFilter, filter ?? {}, title, () => ({ parameter: '$filter' }));
