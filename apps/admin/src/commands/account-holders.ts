import { subjectOf, subjectOptions, UsageError, type Command } from './command.ts';

export const createAccountHolder: Command = {
  name: 'create-account-holder',
  description: 'make an account holder, or find the one with this business id',
  options: {
    name: { description: 'its name', value: 'text', required: true },
    'business-id': { description: 'its business id, by which it is found again', value: 'text', required: true },
    'postal-code': { description: 'of its address', value: 'text', required: true },
    city: { description: 'of its address', value: 'text', required: true },
    country: { description: 'of its address', value: 'text', required: true },
    street1: { description: 'of its address', value: 'text', required: true },
    street2: { description: 'of its address', value: 'text' },
    'manual-approval': { description: 'its transactions wait until they are approved' },
  },
  run: (input, { administration }) =>
    administration((admin) =>
      admin.ensureAccountHolder({
        name: input.text('name'),
        businessId: input.text('business-id'),
        address: {
          postalCode: input.text('postal-code'),
          city: input.text('city'),
          country: input.text('country'),
          street1: input.text('street1'),
          street2: input.optional('street2'),
        },
        autoApproval: !input.flag('manual-approval'),
      }),
    ),
};

export const setAccountHolder: Command = {
  name: 'set-account-holder',
  description: 'let a user make registry keys for an account holder',
  options: {
    ...subjectOptions,
    'account-holder': { description: 'id of the account holder', value: 'id' },
    none: { description: 'take the user out of his account holder instead' },
  },
  run(input, { administration }) {
    const accountHolderId = input.optional('account-holder');
    if ((accountHolderId === undefined) !== input.flag('none'))
      throw new UsageError('give either --account-holder or --none');
    return administration((admin) => admin.setAccountHolder({ ...subjectOf(input), accountHolderId }));
  },
};
