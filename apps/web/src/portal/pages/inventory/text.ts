import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Inventory',
  filters: 'Filters',
  vintage: 'Vintage',
  methodology: 'Methodology',
  facility: 'Facility id',
  issuance: 'Issuance id',
  chooseTrader: 'Choose a trader to see what it owns.',
  empty: 'This trader owns no bundles that fit.',
  clear: 'Clear the filters',
  issued: 'Issued',
  country: 'Country',
  standard: 'Standard',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  bundles: (name: string) => `Bundles of ${name}`,
  selectBundle: (start: string) => `Select the bundle from ${start}`,
  selected: (count: string, volume: string) => `${count} bundles, ${volume}`,
  nothingSelected: 'No bundle is selected.',
  unselect: 'Select none',
});
