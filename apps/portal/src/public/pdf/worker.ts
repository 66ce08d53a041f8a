import { parentPort } from 'node:worker_threads';
import { renderToBuffer } from '@react-pdf/renderer';
import { READY } from '../../threads/job-thread.ts';
import { readStatement } from '../statement.ts';
import { renderStatementDocument } from './document.ts';
import { toRuns, loadFonts, toPlainRuns } from './fonts.ts';
import type { PdfJob, PdfOutcome } from './printer.ts';

/** Worker thread that draws statements, one by one. */

const findFont = await loadFonts();

async function drawJob(job: PdfJob): Promise<PdfOutcome> {
  try {
    const draw = (text: string) => (job.isPlain ? toPlainRuns(text) : toRuns(text, findFont));
    const document = renderStatementDocument(readStatement(job.text), job, draw);
    return { pdf: await renderToBuffer(document as Parameters<typeof renderToBuffer>[0]) };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', (job: PdfJob) => void drawJob(job).then((outcome) => parentPort?.postMessage(outcome)));
parentPort?.postMessage(READY);
