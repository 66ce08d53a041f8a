import { Link, useLocation } from 'wouter';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Page } from '../../../shared/ui/page.tsx';
import { Empty } from '../../../shared/ui/state.tsx';
import { ChooseFile, importPath, useImports, useSend, ImportStatus, type Import } from '../../imports/imports.tsx';

const text = translate({
  title: 'Imports',
  newOne: 'New import',
  send: 'Upload file',
  sending: 'Uploading',
  all: 'Imports by operators and registry keys',
  created: 'Uploaded, UTC',
  completed: 'Ended, UTC',
  id: 'Import',
  status: 'Status',
  read: 'Lines read',
  applied: 'Applied',
  failed: 'Failed lines',
  none: 'No imports yet.',
});

const columns: readonly Column<Import>[] = [
  { name: text.created, width: '8rem', cell: ({ createdAt }) => formatDateTime(createdAt) },
  { name: text.status, width: '11rem', cell: (each) => <ImportStatus of={each} /> },
  { name: text.read, width: '5rem', align: 'end', cell: ({ linesRead }) => formatNumber(linesRead) },
  { name: text.applied, width: '5rem', align: 'end', cell: ({ linesApplied }) => formatNumber(linesApplied) },
  { name: text.failed, width: '6rem', align: 'end', cell: ({ linesFailed }) => formatNumber(linesFailed) },
  {
    name: text.completed,
    width: '8rem',
    cell: ({ completedAt }) => (completedAt === null ? null : formatDateTime(completedAt)),
  },
  {
    name: text.id,
    width: 'minmax(14rem, 1fr)',
    isMono: true,
    cell: ({ importId }) => <Link href={importPath(importId)}>{importId}</Link>,
  },
];

export default function ImportsPage() {
  const [, navigate] = useLocation();
  const sending = useSend();
  return (
    <Page title={text.title}>
      <h2>{text.newOne}</h2>
      <ChooseFile
        button={sending.isPending ? text.sending : text.send}
        isBusy={sending.isPending}
        error={sending.error}
        onChoose={(file) => sending.mutate(file)}
      />
      <h2>{text.all}</h2>
      <Grid
        label={text.title}
        columns={columns}
        source={useImports()}
        onOpen={({ importId }) => navigate(importPath(importId))}
        empty={<Empty>{text.none}</Empty>}
      />
    </Page>
  );
}
