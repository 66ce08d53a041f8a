import { id, MAX_NAME_LENGTH, parameters, parse, searchText, text } from '@saleschannel/primitives/validation';
import { z } from 'zod';

const status = z.enum(['PENDING', 'ACCEPTED', 'REJECTED']).optional();
const title = 'The list cannot be filtered this way.';

const proposalStatus = z.object({ status });

/** @param parameter its name in the public API. @throws DomainError 'invalid-request' that names the parameter */
export const readProposalStatus = (request: unknown, parameter: string): z.output<typeof proposalStatus> =>
  parse(proposalStatus, request, title, parameters({ status: parameter }));

const proposalSearch = z.object({ search: searchText.optional() });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readProposalSearch = (search: unknown): string | undefined =>
  parse(proposalSearch, { search }, title, parameters({ search: 'q' })).search;

const submittedFilter = z.object({ status, accountHolderId: id.optional() });
const submittedParameters = parameters({ status: 'status', accountHolderId: 'accountHolderId' });

/** @throws DomainError 'invalid-request' that names the parameter */
export const readSubmittedFilter = (request: unknown): z.output<typeof submittedFilter> =>
  parse(submittedFilter, request, title, submittedParameters);

const traderFilter = z.object({
  namePrefix: searchText.optional(),
  namePart: searchText.optional(),
  businessId: text({ min: 1, max: MAX_NAME_LENGTH }).optional(),
});

/** @throws DomainError 'invalid-request' that names the parameter */
export const readTraderFilter = (filter: unknown): z.output<typeof traderFilter> =>
  parse(traderFilter, filter ?? {}, title, () => ({ parameter: '$filter' }));
