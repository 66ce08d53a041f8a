import type { Import } from '@saleschannel/contracts/gen/registry_import/v1/Import';
import type { ImportPart__Output } from '@saleschannel/contracts/gen/registry_import/v1/ImportPart';
import type { Call } from '@saleschannel/grpc';
import type { Context } from '../context.ts';
import { readHeader } from '../domain/import-header.ts';
import { spool } from '../imports/spool.ts';
import { importMessage } from './messages.ts';

/** Stores the file as it comes; what it says is applied afterwards, in the background. */
export const startImport =
  (context: Context) =>
  async (parts: AsyncIterable<ImportPart__Output>, call: Call): Promise<Import> => {
    const messages = parts[Symbol.asyncIterator]();
    const first = await messages.next();
    const header = readHeader(first.done ? undefined : first.value);
    const started = await spool(context, header, messages, call.signal);
    context.wakeWorker();
    return importMessage(started);
  };
