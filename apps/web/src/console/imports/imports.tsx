import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { createActivityHeaders, unwrapData, sendWithBodyName } from '../../shared/api/client.ts';
import { describeBody } from '../../shared/api/idempotency.ts';
import { groupFaults } from '../../shared/api/problem.ts';
import { useSubmission } from '../../shared/api/queries.ts';
import { translate } from '../../shared/i18n/messages.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Select, Field, Form } from '../../shared/ui/form.tsx';
import { Status, type Tone } from '../../shared/ui/page.tsx';
import { useCursorSource, type RowSource } from '../../shared/ui/row-source.ts';
import { Failure } from '../../shared/ui/state.tsx';
import { operations, PAGE_SIZE, type Schemas } from '../api.ts';
import type { FileFormat } from './records.ts';

const text = translate({
  file: 'File',
  formats: 'NDJSON with one record per line, or CSV with a header line and a name that ends in .csv.',
  PENDING: 'pending',
  RUNNING: 'running',
  COMPLETED: 'completed',
  withErrors: 'completed, with failed lines',
  FAILED: 'failed',
});

type RecordType = Schemas['RecordType'];

const recordTypes: readonly RecordType[] = ['account-holder', 'production-facility', 'issuance'];

/** A file as uploaded. */
export interface SentFile {
  readonly file: Blob;
  readonly name: string;
  readonly format: FileFormat;
  /** Record type of a CSV file. NDJSON records state their own. */
  readonly type: RecordType | undefined;
}

/**
 * Files of imports started in this tab, by import id. The service deletes a file once it is applied, and nothing is
 * written to disk here, so a reload forgets them.
 */
const filesByImportId = new Map<string, SentFile>();

export const storedFile = (importId: string): SentFile | undefined => filesByImportId.get(importId);
export const storeFile = (importId: string, sent: SentFile): void => void filesByImportId.set(importId, sent);

const detectFormat = (name: string): FileFormat => (/\.csv$/i.test(name) ? 'csv' : 'ndjson');

export type Import = Schemas['Import'];
export type ImportError = Schemas['ImportError'];

const POLL_MS = 1_000;

const importsKey = ['imports'];
export const importPath = (importId: string): string => `/imports/${encodeURIComponent(importId)}`;
export const isFinished = ({ status }: Import): boolean => status === 'COMPLETED' || status === 'FAILED';

export const useImports = (): RowSource<Import> =>
  useCursorSource<Import>({
    queryKey: importsKey,
    fetchPage: ({ after, signal, ...asked }) =>
      unwrapData(
        operations.GET('/imports', {
          signal,
          headers: createActivityHeaders(asked),
          params: { query: { limit: PAGE_SIZE, ...(after !== undefined && { after }) } },
        }),
      ),
    getPollMs: (rows) => (rows.every(isFinished) ? false : POLL_MS),
  });

/** Progress of an import, polled until it ends. */
export const useImport = (importId: string): UseQueryResult<Import> =>
  useQuery({
    queryKey: [...importsKey, importId],
    queryFn: ({ signal, ...asked }) =>
      unwrapData(
        operations.GET('/imports/{importId}', {
          signal,
          headers: createActivityHeaders(asked),
          params: { path: { importId } },
        }),
      ),
    refetchInterval: ({ state: { data, status } }) =>
      status === 'error' || (data && isFinished(data)) ? false : POLL_MS,
  });

/** Failed lines so far. A running import may add more. */
export const useImportErrors = (importId: string, known: number): RowSource<ImportError> =>
  useCursorSource<ImportError>({
    queryKey: ['import-errors', importId, known],
    fetchPage: ({ after, signal }) =>
      unwrapData(
        operations.GET('/imports/{importId}/errors', {
          signal,
          params: { path: { importId }, query: { limit: PAGE_SIZE, ...(after !== undefined && { after }) } },
        }),
      ),
  });

/** Uploads a file and opens its import. */
export function useSend(): UseMutationResult<Import, Error, SentFile> {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useSubmission({
    mutationFn: send,
    onSuccess({ importId }) {
      void queries.invalidateQueries({ queryKey: importsKey });
      navigate(importPath(importId));
    },
  });
}

/** Uploads a file and keeps it for corrections. */
async function send(sent: SentFile): Promise<Import> {
  const started = await unwrapData(
    operations.POST('/imports', {
      params: { query: sent.type === undefined ? {} : { type: sent.type } },
      headers: { 'Content-Type': sent.format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
      body: String(),
      bodySerializer: () => sent.file,
      fetch: sendWithBodyName(describeBody(sent.file)),
    }),
  );
  storeFile(started.importId, sent);
  return started;
}

const typeText = translate({
  type: 'Record type of the CSV file',
  'account-holder': 'Account holders',
  'production-facility': 'Production facilities',
  issuance: 'Issuances',
});

/** Record type, which a CSV file does not state. */
function RecordTypeChoice({ fault }: { readonly fault?: string | undefined }) {
  return (
    <Select label={typeText.type} name="type" fault={fault}>
      {recordTypes.map((type) => (
        <option key={type} value={type}>
          {typeText[type]}
        </option>
      ))}
    </Select>
  );
}

interface ChooseFileProps {
  readonly button: ReactNode;
  readonly isBusy: boolean;
  readonly error: unknown;
  onChoose(sent: SentFile): void;
}

/** Asks for a file, and for the record type if the format does not state it. */
export function ChooseFile({ button, isBusy, error, onChoose }: ChooseFileProps) {
  const [isCsv, setCsv] = useState(false);
  const { others } = groupFaults(error, []);
  const choose = (form: FormData): void => {
    const file = form.get('file');
    if (!(file instanceof File)) return;
    const type = recordTypes.find((each) => each === form.get('type'));
    onChoose({ file, name: file.name, format: detectFormat(file.name), type: isCsv ? type : undefined });
  };
  return (
    <Form
      onSubmit={choose}
      faults={others}
      actions={
        <Button type="submit" look="primary" busy={isBusy}>
          {button}
        </Button>
      }
    >
      <Field
        label={text.file}
        hint={text.formats}
        name="file"
        type="file"
        accept=".ndjson,.jsonl,.csv"
        required
        onChange={({ target }) => setCsv(detectFormat(target.files?.[0]?.name ?? '-') === 'csv')}
      />
      {isCsv && <RecordTypeChoice />}
      {error !== null && others.length === 0 && <Failure error={error} />}
    </Form>
  );
}

const tones: Record<Import['status'], Tone> = { PENDING: 'wait', RUNNING: 'wait', COMPLETED: 'ok', FAILED: 'bad' };

export function ImportStatus({ of: { status, linesFailed } }: { readonly of: Import }) {
  if (status === 'COMPLETED' && linesFailed > 0) return <Status tone="bad">{text.withErrors}</Status>;
  return <Status tone={tones[status]}>{text[status]}</Status>;
}
