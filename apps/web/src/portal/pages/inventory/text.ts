import { translate } from '../../../shared/i18n/messages.ts';
import { formatBundles } from '../../transfers/kinds.ts';

export const text = translate({
  title: 'Inventory',
  filters: 'Filters',
  vintage: 'Vintage',
  methodology: 'Methodology',
  facility: 'Facility',
  all: 'All',
  facet: (name: string, volume: string) => `${name}, ${volume}`,
  totals: (count: number, volume: string) => `${formatBundles(count)}, ${volume}`,
  oldestFirst: 'Volume, oldest first, t',
  oldest: (volume: string) => `${volume}, oldest first`,
  chooseTrader: 'Choose a trader to see its bundles.',
  empty: 'This trader has no matching bundles.',
  clear: 'Clear filters',
  issued: 'Issued',
  country: 'Country',
  standard: 'Standard',
  first: 'First serial',
  last: 'Last serial',
  volume: 'Volume, t',
  bundles: (name: string) => `Bundles of ${name}`,
  selectBundle: (start: string) => `Select the bundle from ${start}`,
  selected: (count: number, volume: string) => `${formatBundles(count)}, ${volume}`,
  nothingSelected: 'No bundles selected.',
  unselect: 'Clear selection',
});
