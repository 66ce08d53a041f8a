import { translated } from '../../../shared/i18n/messages.ts';
import { digits } from '../../../shared/format/numbers.ts';

export const text = translated({
  title: 'Import',
  all: 'All imports',
  status: 'Status',
  created: 'Sent, UTC',
  completed: 'Ended, UTC',
  read: 'Lines read',
  applied: 'Applied',
  failed: 'Bad lines',
  file: 'File',
  badLines: 'Bad lines',
  stored: (stored: number, failed: number) => `The first ${digits(stored)} of ${digits(failed)} are kept.`,
  line: 'Line',
  code: 'Code',
  detail: 'What is wrong',
  mend: 'Mend the lines',
  noFile:
    'The service deletes a file as it applies it, and this page does not have it: it was sent elsewhere, or the page ' +
    'was loaded anew. Choose the same file again to mend its lines here. It is not sent.',
  choose: 'Read the lines of this file',
  mendWhy:
    'Correct the lines below. They are sent as a new import. What is known with the same content is applied again ' +
    'without effect.',
  header: 'Header of the file',
  lineNumber: (line: number) => `Line ${line}`,
  tooShort: 'The file has no such line. Is it the file that was sent?',
  withUnchanged: 'Send lines that were not changed too: what was missing may be there by now',
  nothing: 'No line was changed yet',
  send: (count: number) => (count === 1 ? 'Send 1 line' : `Send ${digits(count)} lines`),
  more: (count: number) => `Show ${count} more lines`,
  reading: 'The file is read',
});
