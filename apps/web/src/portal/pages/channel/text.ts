import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Overview',
  volumes: 'Volumes of the last twelve months',
  volumesAbout: 'Certificates of transactions that are done, by when they were created (UTC).',
  byMonth: 'By month, t',
  byVintage: 'By vintage, t',
  byMethodology: 'By methodology, t',
  month: 'Month',
  vintage: 'Vintage',
  methodology: 'Methodology',
  traded: 'Traded',
  retired: 'Retired',
  offramped: 'Offramped',
  all: 'All',
  noVolumes: 'Nothing was done in the last twelve months.',
});
