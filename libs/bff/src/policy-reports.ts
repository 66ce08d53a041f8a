import express, { type RequestHandler } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { z } from 'zod';

const REPORT_BYTES_AT_MOST = 16_384;
const REPORTS_AT_ONCE = 10;
const TEXT_CHARACTERS = 300;
const MINUTE_MS = 60_000;
/** Anybody can send reports: the log must not be theirs to fill. */
const LOGGED_PER_MINUTE = 20;

/** A URL may hold what was searched for. Its query is nobody's business. */
const text = z
  .unknown()
  .optional()
  .transform((value) =>
    typeof value === 'string' ? value.replace(/[?#].*$/s, '').slice(0, TEXT_CHARACTERS) : undefined,
  );

const legacy = z.object({
  'csp-report': z
    .object({ 'document-uri': text, 'effective-directive': text, 'blocked-uri': text, 'source-file': text })
    .transform((report) => ({
      page: report['document-uri'],
      directive: report['effective-directive'],
      blocked: report['blocked-uri'],
      source: report['source-file'],
    })),
});

const current = z.array(
  z
    .object({
      body: z.object({ documentURL: text, effectiveDirective: text, blockedURL: text, sourceFile: text }),
    })
    .transform(({ body }) => ({
      page: body.documentURL,
      directive: body.effectiveDirective,
      blocked: body.blockedURL,
      source: body.sourceFile,
    })),
);

function reportsOf(body: unknown): object[] {
  const list = current.safeParse(body).data;
  if (list) return list.slice(0, REPORTS_AT_ONCE);
  const one = legacy.safeParse(body).data;
  return one ? [one['csp-report']] : [];
}

/** Logs what browsers report of the content security policy, boundedly. @param now in milliseconds */
export function policyReports(logger: Logger, now: () => number): RequestHandler[] {
  let minute = Number.NEGATIVE_INFINITY;
  let logged = 0;
  const types = ['application/csp-report', 'application/reports+json', 'application/json'];
  return [
    express.json({ limit: REPORT_BYTES_AT_MOST, type: types }),
    (request, response) => {
      if (now() - minute >= MINUTE_MS) [minute, logged] = [now(), 0];
      for (const report of reportsOf(request.body)) {
        if (logged++ < LOGGED_PER_MINUTE) logger.warn({ report }, 'a browser reports a breach of the content policy');
      }
      response.status(204).end();
    },
  ];
}
