import { translated } from '../../../shared/i18n/messages.ts';

export const text = translated({
  title: 'Overview',
  volumes: 'Volumes of the last twelve months',
  volumesAbout: 'Certificates of completed transactions, by date of creation (UTC).',
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
  noVolumes: 'No completed transactions in the last twelve months.',
});
