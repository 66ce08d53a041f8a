import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { formatNumber } from '../../../shared/format/numbers.ts';
import { formatDateTime } from '../../../shared/format/time.ts';
import { translate } from '../../../shared/i18n/messages.ts';
import type { PageProps } from '../../../shared/shell/pages.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TextArea } from '../../../shared/ui/form.tsx';
import { Grid, type Column } from '../../../shared/ui/grid.tsx';
import { Facts, Page, Status } from '../../../shared/ui/page.tsx';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { Failure, Loading, Read } from '../../../shared/ui/state.tsx';
import { Summary } from '../../../shared/ui/toolbar.tsx';
import styles from '../../console.module.css';
import {
  ChooseFile,
  isFinished,
  storeFile,
  storedFile,
  useImport,
  useImportErrors,
  useSend,
  ImportStatus,
  type Import,
  type ImportError,
  type SentFile,
} from '../../imports/imports.tsx';
import { buildCorrectedFile, readRecords, type FoundRecords } from '../../imports/records.ts';

const text = translate({
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
  stored: (stored: number, failed: number) => `The first ${formatNumber(stored)} of ${formatNumber(failed)} are kept.`,
  line: 'Line',
  code: 'Code',
  detail: 'Error',
  correct: 'Correct lines',
  noFile:
    'The service deletes a file once it is applied, and this page does not have the file: it was uploaded elsewhere, ' +
    'or the page was reloaded. Choose the same file again to correct its lines here. It is not uploaded.',
  choose: 'Read lines from file',
  correctWhy:
    'Correct the lines below. They are sent as a new import. Lines that are already stored with the same content ' +
    'have no effect.',
  header: 'Header line',
  lineNumber: (line: number) => `Line ${line}`,
  tooShort: 'The file has no such line. Choose the file that was uploaded.',
  withUnchanged: 'Also send unchanged lines: data that they refer to may exist by now',
  nothing: 'No lines changed yet',
  send: (count: number) => (count === 1 ? 'Send 1 line' : `Send ${formatNumber(count)} lines`),
  more: (count: number) => `Show ${count} more lines`,
});

/** Lines added by the button. */
const LINES_PER_STEP = 25;

/** Returns the first errors of the list, up to a limit. */
function useFirst(errors: RowSource<ImportError>, limit: number): readonly ImportError[] {
  useEffect(() => errors.show(0, limit - 1), [errors, limit]);
  return Array.from({ length: Math.min(limit, errors.count) }, (_, at) => errors.rowAt(at)).filter(
    (error) => error !== undefined,
  );
}

const useRecords = (importId: string, { file, name, format }: SentFile, lines: readonly number[]) =>
  useQuery({
    queryKey: ['records', importId, name, file.size, lines],
    queryFn: () => readRecords(file, format, new Set(lines)),
    placeholderData: keepPreviousData,
    // Uploaded data leaves the cache once it is off screen.
    gcTime: 0,
  });

interface LineProps {
  readonly error: ImportError;
  /** Undefined if the file has no such line. */
  readonly value: string | undefined;
  onChange(value: string): void;
}

function Line({ error: { line, code, detail }, value, onChange }: LineProps) {
  return (
    <div className={styles['line']}>
      <p>
        <Status tone="bad">{detail}</Status> <code>{code}</code>
      </p>
      {value === undefined ? (
        <p>
          {text.lineNumber(line)}: {text.tooShort}
        </p>
      ) : (
        <TextArea
          label={text.lineNumber(line)}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}

interface CorrectionsProps {
  readonly importId: string;
  readonly sent: SentFile;
  readonly errors: RowSource<ImportError>;
}

function Lines({
  sent,
  shown,
  found,
}: Pick<CorrectionsProps, 'sent'> & { shown: readonly ImportError[]; found: FoundRecords }) {
  const [edited, setEdited] = useState<ReadonlyMap<number, string>>(new Map());
  const [withUnchanged, setWithUnchanged] = useState(false);
  const sending = useSend();
  const lines = shown.flatMap(({ line }) => {
    const record = found.byLine.get(line);
    return record === undefined ? [] : [{ line, sent: record, now: edited.get(line) ?? record }];
  });
  const corrected = buildCorrectedFile(lines, { format: sent.format, header: found.first, withUnchanged });
  return (
    <>
      {sent.format === 'csv' && (
        <p className={styles['header']}>
          {text.header}: <code>{found.first}</code>
        </p>
      )}
      {shown.map((error) => (
        <Line
          key={error.line}
          error={error}
          value={edited.get(error.line) ?? found.byLine.get(error.line)}
          onChange={(value) => setEdited(new Map(edited).set(error.line, value))}
        />
      ))}
      {sending.error && <Failure error={sending.error} />}
      <Summary>
        <Button
          look="primary"
          disabled={!corrected}
          busy={sending.isPending}
          onClick={() => corrected && sending.mutate({ ...sent, file: new Blob([corrected.content]) })}
        >
          {corrected ? text.send(corrected.count) : text.nothing}
        </Button>
        <label className={styles['withUnchanged']}>
          <input type="checkbox" checked={withUnchanged} onChange={({ target }) => setWithUnchanged(target.checked)} />
          {text.withUnchanged}
        </label>
      </Summary>
    </>
  );
}

/** Failed lines as editable text, to be sent as a file of their own. */
function Corrections({ importId, sent, errors }: CorrectionsProps) {
  const [limit, setLimit] = useState(LINES_PER_STEP);
  const shown = useFirst(errors, limit);
  const records = useRecords(
    importId,
    sent,
    shown.map(({ line }) => line),
  );
  if (errors.error !== undefined) return <Failure error={errors.error} onRetry={errors.retry} />;
  if (errors.count === 0) return <Loading />;
  const hasMore = errors.count > limit || !errors.isCountKnown;
  return (
    <>
      <p>{text.correctWhy}</p>
      <Read of={records}>{(found) => <Lines sent={sent} shown={shown} found={found} />}</Read>
      {hasMore && <Button onClick={() => setLimit(limit + LINES_PER_STEP)}>{text.more(LINES_PER_STEP)}</Button>}
    </>
  );
}

const columns: readonly Column<ImportError>[] = [
  { name: text.line, width: '5rem', align: 'end', cell: ({ line }) => formatNumber(line) },
  { name: text.code, width: '14rem', isMono: true, cell: ({ code }) => code },
  { name: text.detail, width: 'minmax(20rem, 1fr)', cell: ({ detail }) => detail },
];

function Progress({ of }: { readonly of: Import }) {
  return (
    <div role="status">
      <Facts
        of={[
          [text.status, <ImportStatus key="status" of={of} />],
          [text.file, storedFile(of.importId)?.name],
          [text.created, formatDateTime(of.createdAt)],
          [text.completed, of.completedAt === null ? undefined : formatDateTime(of.completedAt)],
          [text.read, formatNumber(of.linesRead)],
          [text.applied, formatNumber(of.linesApplied)],
          [text.failed, formatNumber(of.linesFailed)],
        ]}
      />
    </div>
  );
}

function BadLines({ of: { importId, errorsStored, linesFailed } }: { readonly of: Import }) {
  const errors = useImportErrors(importId, errorsStored);
  const [sent, setSent] = useState(() => storedFile(importId));
  return (
    <section>
      <h2>{text.badLines}</h2>
      {errorsStored < linesFailed && <p>{text.stored(errorsStored, linesFailed)}</p>}
      {sent ? (
        <Corrections importId={importId} sent={sent} errors={errors} />
      ) : (
        <>
          <Grid label={text.badLines} columns={columns} source={errors} empty={null} />
          <h3>{text.correct}</h3>
          <p>{text.noFile}</p>
          <ChooseFile
            button={text.choose}
            isBusy={false}
            error={null}
            onChoose={(chosen) => {
              storeFile(importId, chosen);
              setSent(chosen);
            }}
          />
        </>
      )}
    </section>
  );
}

export default function ImportPage({ parameters }: PageProps) {
  const importId = parameters['id'] ?? 'none';
  return (
    <Page title={text.title} aside={<code>{importId}</code>} actions={<Link href="/imports">{text.all}</Link>}>
      <Read of={useImport(importId)}>
        {(found) => (
          <>
            <Progress of={found} />
            {isFinished(found) && found.errorsStored > 0 && <BadLines of={found} />}
          </>
        )}
      </Read>
    </Page>
  );
}
