import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Area } from '../../../shared/ui/form.tsx';
import { Status } from '../../../shared/ui/page.tsx';
import type { RowSource } from '../../../shared/ui/row-source.ts';
import { Failure, Loading, Read } from '../../../shared/ui/state.tsx';
import { Summary } from '../../../shared/ui/toolbar.tsx';
import { useSend, type ImportError } from '../../imports/imports.ts';
import type { SentFile } from '../../imports/kept-files.ts';
import { mendedFile } from '../../imports/mended.ts';
import { readRecords, type FoundRecords } from '../../imports/records.ts';
import styles from './mend.module.css';
import { text } from './text.ts';

/** Lines that are shown at once. */
const STEP = 25;

/** The first errors of the list, as many as are wanted. */
function useFirst(errors: RowSource<ImportError>, wanted: number): readonly ImportError[] {
  useEffect(() => errors.show(0, wanted - 1), [errors, wanted]);
  return Array.from({ length: Math.min(wanted, errors.count) }, (_, at) => errors.rowAt(at)).filter(
    (error) => error !== undefined,
  );
}

const useRecords = (importId: string, { file, name, format }: SentFile, lines: readonly number[]) =>
  useQuery({
    queryKey: ['records', importId, name, file.size, lines],
    queryFn: () => readRecords(file, format, new Set(lines)),
    placeholderData: keepPreviousData,
    // What was sent is not kept longer than it is looked at.
    gcTime: 0,
  });

interface LineProps {
  readonly error: ImportError;
  /** Undefined: the file has no such line. */
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
        <Area
          label={text.lineNumber(line)}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}

interface MendProps {
  readonly importId: string;
  readonly sent: SentFile;
  readonly errors: RowSource<ImportError>;
}

function Lines({
  sent,
  shown,
  found,
}: Pick<MendProps, 'sent'> & { shown: readonly ImportError[]; found: FoundRecords }) {
  const [edited, setEdited] = useState<ReadonlyMap<number, string>>(new Map());
  const [withUnchanged, setWithUnchanged] = useState(false);
  const sending = useSend();
  const lines = shown.flatMap(({ line }) => {
    const record = found.byLine.get(line);
    return record === undefined ? [] : [{ line, sent: record, now: edited.get(line) ?? record }];
  });
  const mended = mendedFile(lines, { format: sent.format, header: found.first, withUnchanged });
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
          disabled={!mended}
          busy={sending.isPending}
          onClick={() => mended && sending.mutate({ ...sent, file: new Blob([mended.content]) })}
        >
          {mended ? text.send(mended.count) : text.nothing}
        </Button>
        <label className={styles['check']}>
          <input type="checkbox" checked={withUnchanged} onChange={({ target }) => setWithUnchanged(target.checked)} />
          {text.withUnchanged}
        </label>
      </Summary>
    </>
  );
}

/** Bad lines with their texts, to be corrected and sent as a file of their own. */
export function Mend({ importId, sent, errors }: MendProps) {
  const [wanted, setWanted] = useState(STEP);
  const shown = useFirst(errors, wanted);
  const records = useRecords(
    importId,
    sent,
    shown.map(({ line }) => line),
  );
  if (errors.error !== undefined) return <Failure error={errors.error} onRetry={errors.retry} />;
  if (errors.count === 0) return <Loading />;
  const hasMore = errors.count > wanted || !errors.isCountKnown;
  return (
    <>
      <p>{text.mendWhy}</p>
      <Read of={records}>{(found) => <Lines sent={sent} shown={shown} found={found} />}</Read>
      {hasMore && <Button onClick={() => setWanted(wanted + STEP)}>{text.more(STEP)}</Button>}
    </>
  );
}
