import { useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { createActivityHeaders, unwrapData, sendWithBodyName } from '../../shared/api/client.ts';
import { describeBody } from '../../shared/api/idempotency.ts';
import { useSubmission } from '../../shared/api/use-submission.ts';
import { useCursorSource } from '../../shared/ui/cursor-source.ts';
import type { RowSource } from '../../shared/ui/row-source.ts';
import { operations, type Schemas } from '../api.ts';
import type { FileFormat } from './records.ts';

type RecordType = Schemas['RecordType'];

export const recordTypes: readonly RecordType[] = ['account-holder', 'production-facility', 'issuance'];

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

export const detectFormat = (name: string): FileFormat => (/\.csv$/i.test(name) ? 'csv' : 'ndjson');

export type Import = Schemas['Import'];
export type ImportError = Schemas['ImportError'];

const POLL_MS = 1_000;
/** The service's page limit. */
const PAGE_SIZE = 100;

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
