import type { Command } from './command.ts';

export const createSalesChannel: Command = {
  name: 'create-sales-channel',
  description: 'make a sales channel; each call makes another one',
  options: { name: { description: 'its name, for people', value: 'text', required: true } },
  run: (input, { administration }) => administration((admin) => admin.createSalesChannel(input.text('name'))),
};

export const listSalesChannels: Command = {
  name: 'list-sales-channels',
  description: 'list all sales channels',
  options: {},
  run: (_input, { administration }) => administration((admin) => admin.listSalesChannels()),
};
