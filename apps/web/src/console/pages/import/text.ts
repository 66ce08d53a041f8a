import { translated } from '../../../shared/i18n/messages.ts';
import { digits } from '../../../shared/format/numbers.ts';

export const text = translated({
  title: 'Import',
  all: 'All imports',
  status: 'Status',
  created: 'Uploaded, UTC',
  completed: 'Ended, UTC',
  read: 'Lines read',
  applied: 'Applied',
  failed: 'Failed lines',
  file: 'File',
  badLines: 'Failed lines',
  stored: (stored: number, failed: number) => `The first ${digits(stored)} of ${digits(failed)} are kept.`,
  line: 'Line',
  code: 'Code',
  detail: 'Error',
  mend: 'Correct lines',
  noFile:
    'The service deletes a file once it is applied, and this page does not have the file: it was uploaded elsewhere, ' +
    'or the page was reloaded. Choose the same file again to correct its lines here. It is not uploaded.',
  choose: 'Read lines from file',
  mendWhy:
    'Correct the lines below. They are sent as a new import. Lines that are already stored with the same content ' +
    'have no effect.',
  header: 'Header line',
  lineNumber: (line: number) => `Line ${line}`,
  tooShort: 'The file has no such line. Choose the file that was uploaded.',
  withUnchanged: 'Also send unchanged lines: data that they refer to may exist by now',
  nothing: 'No lines changed yet',
  send: (count: number) => (count === 1 ? 'Send 1 line' : `Send ${digits(count)} lines`),
  more: (count: number) => `Show ${count} more lines`,
  reading: 'Reading the file',
});
