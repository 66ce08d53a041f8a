import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually, readPdfText } from '@saleschannel/testing';
import { PdfPrinter, PdfNotReady, type PdfJob } from '../src/public/pdf/printer.ts';
import { JobTooSlow, JobThread } from '../src/threads/job-thread.ts';
import { startPortal, type TestPortal } from './support/portal.ts';
import { Register, type StatementOptions } from './support/register.ts';

/** Reads PDFs with pdftotext of poppler-utils, which is installed here for root on Debian or Ubuntu. */

const ID = '3q2-7wABz0mV9kQe1xTn4A';
/** Includes the installation of pdftotext. */
const LIMIT_MS = 240_000;

let portal: TestPortal;
let register: Register;

beforeAll(async () => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  portal = await startPortal();
  register = await Register.create();
  register.answerFor(portal.upstream);
});
afterAll(() => portal.stop());

const fetchPdf = async (options: StatementOptions): Promise<Buffer> => {
  await register.add(options);
  const response = await fetch(`${portal.url}/r/${ID}.pdf`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await response.arrayBuffer());
};

describe('the PDF of a statement, by pdftotext', () => {
  test(
    'has the content and the address of its page',
    async () => {
      const text = await readPdfText(await fetchPdf({}));
      const expected = [
        '31 250 t CO2 removed, retired on 5 March 2025',
        'Nordlys Ferries <AS>',
        'Unsigned copy',
        'K7M2QX',
      ];
      for (const words of [...expected, `${portal.url}/r/${ID}`]) expect(text).toContain(words);
      expect(text).not.toContain('Signature valid');
    },
    LIMIT_MS,
  );

  test(
    'shows names of many scripts, emoji, and names of 200 characters',
    async () => {
      const long = 'Nordlysferger'.repeat(16).slice(0, 200);
      const hidden = {
        beneficiaryName: 'شمس مكتب',
        beneficiaryLocation: long,
        retirementPurpose: 'Лес 🌲🌍 Ελλάδα Đà Nẵng ישראל',
      };
      const text = await readPdfText(await fetchPdf({ hidden }));
      for (const word of ['شمس', 'مكتب', 'Лес', 'Ελλάδα', 'Đà', 'Nẵng', 'ישראל', '🌲🌍']) expect(text).toContain(word);
      expect(text.replaceAll(' ', '')).toContain(long);
      expect(text).not.toContain('Not shown');
    },
    LIMIT_MS,
  );

  test(
    'replaces a name with missing characters by a note',
    async () => {
      const text = await readPdfText(await fetchPdf({ hidden: { beneficiaryName: '東京 Ferries' } }));
      expect(text).toContain(
        'For Not shown: the fonts lack some of its characters. The page of the statement shows it.',
      );
      for (const where of [`Statement ${ID}`, `${portal.url}/r/${ID}`]) expect(text).toContain(where);
      expect(text).not.toContain('Ferries');
      expect(text).not.toContain('\ufffd');
    },
    LIMIT_MS,
  );

  test(
    'contains no hidden word before the embargo ends',
    async () => {
      const text = await readPdfText(await fetchPdf({ isHidden: true }));
      expect(text).toContain('Hidden until 1 September 2026 at 00:00 UTC');
      for (const word of ['Nordlys', 'Bergen', 'Residual']) expect(text).not.toContain(word);
    },
    LIMIT_MS,
  );
});

describe('the printer of PDFs', () => {
  /** Creates a different statement for each number. */
  const createJob = async (number: number): Promise<PdfJob> => ({
    text: await register.add({ facts: { id: `statement-${number}` } }),
    verdict: { state: 'valid' },
    url: `https://portal.example/r/${number}`,
  });
  const jobs = (count: number): Promise<PdfJob[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => createJob(index)));

  test(
    'makes the same PDF from the same statement',
    async () => {
      const [first, second] = [await fetchPdf({}), await fetchPdf({})];
      expect(first.equals(second)).toBe(true);
    },
    LIMIT_MS,
  );

  test(
    'makes one PDF per revision, for concurrent and later requests',
    async () => {
      const printer = new PdfPrinter();
      const job = await createJob(1);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 20 }, (_, index) => printer.print(job, `192.0.2.${index}`)),
      );
      expect(first?.subarray(0, 5).toString()).toBe('%PDF-');
      for (const other of [...others, await printer.print({ ...job }, '192.0.2.99')]) expect(other).toBe(first);
      const revised = { ...job, text: await register.add({ facts: { id: 'statement-1' }, isHidden: true }) };
      expect(await printer.print(revised, '192.0.2.1')).not.toBe(first);
      printer.close();
    },
    LIMIT_MS,
  );

  test(
    'limits one address, and serves others first',
    async () => {
      const printer = new PdfPrinter();
      const [own, ...all] = await jobs(21);
      if (!own) throw new Error('there is no job');
      const finished: string[] = [];
      const outcomes = all.map((job) =>
        printer.print(job, '192.0.2.1').then(
          () => void finished.push('greedy'),
          (error: unknown) => error,
        ),
      );
      const other = printer.print(own, '198.51.100.7').then(() => void finished.push('other'));
      const errors = (await Promise.all(outcomes)).filter((error) => error !== undefined);
      await other;
      expect(errors.map((error) => error instanceof PdfNotReady)).toEqual(Array.from({ length: 15 }, () => true));
      expect(finished.indexOf('other')).toBeLessThanOrEqual(2);
      printer.close();
    },
    LIMIT_MS,
  );

  test(
    'completes a PDF whose request timed out',
    async () => {
      const printer = new PdfPrinter({ requestTimeoutMs: 1 });
      const job = await createJob(1);
      await expect(printer.print(job, '192.0.2.1')).rejects.toThrow(PdfNotReady);
      expect(await eventually(() => printer.print(job, '192.0.2.1').catch(() => undefined))).toBeInstanceOf(Buffer);
      printer.close();
    },
    LIMIT_MS,
  );

  test(
    'gives up a slow PDF, and makes the next in a new thread',
    async () => {
      const printer = new PdfPrinter({ timeoutMs: 1 });
      const job = await createJob(1);
      await expect(printer.print(job, '192.0.2.1')).rejects.toThrow(JobTooSlow);
      await expect(printer.print(job, '192.0.2.1')).rejects.toThrow(JobTooSlow);
      printer.close();
    },
    LIMIT_MS,
  );
});

describe('the thread of jobs', () => {
  const createThread = (timeoutMs: number): JobThread<string, string> =>
    new JobThread({ script: new URL('./support/slow-start.ts', import.meta.url), timeoutMs, memoryMb: 64 });

  test('the deadline of a job counts from its start in the thread', async () => {
    const thread = createThread(2_000);
    expect(await Promise.all([thread.run('a'), thread.run('b')])).toEqual(['a', 'b']);
    thread.close();
  });

  test('a closed thread starts again', async () => {
    const thread = createThread(2_000);
    await thread.run('a');
    thread.close();
    expect(await thread.run('b')).toBe('b');
    thread.close();
  });
});
