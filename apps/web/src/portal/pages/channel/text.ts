import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Overview',
  waits: 'Under way',
  failed: 'Failed or rejected in the last seven days',
  nothing: 'Nothing waits, and nothing failed in the last seven days.',
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
