import { unreadable, type Upstream } from '@saleschannel/bff';
import type { Logger } from '@saleschannel/runtime';
import express, { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { Answers } from './public/answers.ts';
import { publicFiles } from './public/files.ts';
import type { PdfPrinter } from './public/pdf/printer.ts';
import { RegisterApi, verdictBy } from './public/register-api.ts';
import { filterOf, listPath, nextCursorOf, registerPage } from './public/register-page.ts';
import { readKeys, readStatement, readStatements, readStatus, type Statement } from './public/statement.ts';
import { statementPage } from './public/statement-page.ts';
import { askedOf, verifyPage, type Found } from './public/verify-page.ts';

/** A statement of a thousand ranges as a form sends it. */
const PASTED_BYTES_AT_MOST = 4 * 1_048_576;
const PDF_RETRY_AFTER_SECONDS = '10';
const JSON_TYPE = 'application/json';

export interface PublicOptions {
  readonly upstream: Upstream;
  readonly now: () => number;
  readonly publicUrl: URL;
  readonly printer: PdfPrinter;
  readonly isSandbox: boolean;
  readonly logger: Logger;
}

const isPublic = ({ publication }: Statement): boolean => publication === 'PUBLIC';

/** Pages that anybody may see, and that work without script. They come before those of people who are signed in. */
export function publicRoutes(options: PublicOptions): Router {
  const { upstream, now } = options;
  const router = Router();
  const files = publicFiles();
  const answers = new Answers({ ...files.addresses, isSandbox: options.isSandbox });
  const api = new RegisterApi(upstream, now);
  router.use(files.router);
  pdfRoute(router, answers, api, options);
  statementRoutes(router, answers, api);
  verifyRoutes(router, answers, api);
  registerRoutes(router, answers, api);
  router.use(unreadableHere(answers));
  return router;
}

/** A reader of pages gets a page. At an address that means nothing there is nothing. */
const unreadableHere =
  (answers: Answers): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const fault = unreadable(error);
    if (fault) answers.trouble(response, { status: fault.code === 'payload-too-large' ? 413 : 400, headers: {} });
    else next(error);
  };

/** What the API says, to programs as it says it. */
function pass(response: Response, reply: Awaited<ReturnType<RegisterApi['read']>>): void {
  response.set({ 'Cache-Control': 'no-store', ...reply.headers });
  response.status(reply.status).send(reply.body);
}

function statementRoutes(router: Router, answers: Answers, api: RegisterApi): void {
  router.get('/.well-known/statement-keys.json', async (request, response) => {
    const reply = await api.keys(request, response);
    if (reply.status === 200) answers.document(response, JSON_TYPE, reply.body, true);
    else pass(response, reply);
  });
  router.get('/r/:id.json', async (request, response) => {
    const reply = await api.statement(request, response, request.params.id);
    if (reply.status !== 200) return pass(response, reply);
    const statement = readStatement(reply.body.toString());
    response.set('Content-Disposition', `attachment; filename="statement-${statement.id}.json"`);
    answers.document(response, JSON_TYPE, reply.body, isPublic(statement));
  });
  router.get('/r/:id', async (request, response) => {
    const reply = await api.statement(request, response, request.params.id);
    if (reply.status !== 200) return answers.trouble(response, reply);
    const text = reply.body.toString();
    const statement = readStatement(text);
    const verdict = await api.verdictOn(request, response, text);
    answers.page(response, statementPage(statement, verdict), isPublic(statement));
  });
}

function pdfRoute(router: Router, answers: Answers, api: RegisterApi, options: PublicOptions): void {
  const { printer, publicUrl, logger } = options;
  router.get('/r/:id.pdf', async (request, response) => {
    const reply = await api.statement(request, response, request.params.id);
    if (reply.status !== 200) return answers.trouble(response, reply);
    const text = reply.body.toString();
    const statement = readStatement(text);
    const verdict = await api.verdictOn(request, response, text);
    const url = new URL(`/r/${statement.id}`, publicUrl).href;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const pdf = await printer.print({ statement, verdict, url }, gone.signal);
      response.set('Content-Disposition', `inline; filename="statement-${statement.id}.pdf"`);
      answers.document(response, 'application/pdf', pdf, isPublic(statement));
    } catch (error) {
      if (gone.signal.aborted) return;
      logger.warn({ err: error }, 'a PDF cannot be made');
      const headers = { 'retry-after': PDF_RETRY_AFTER_SECONDS };
      answers.trouble(response, { status: 503, headers });
    }
  });
}

function verifyRoutes(router: Router, answers: Answers, api: RegisterApi): void {
  router.get('/verify', async (request, response) => {
    const typed = request.query['id'];
    if (typeof typed !== 'string') return answers.page(response, verifyPage({}), true);
    const asked = askedOf(typed);
    if (!asked) return answers.page(response, verifyPage({ typed, isUnclear: true }), false);
    if (asked.kind === 'statement') return response.redirect(303, `/r/${encodeURIComponent(asked.id)}`);
    const found: Found[] = [];
    for (const id of asked.ids) {
      const reply = await api.certificate(request, response, id);
      if (![200, 400, 404].includes(reply.status)) return answers.trouble(response, reply);
      found.push({ id, status: reply.status === 200 ? readStatus(reply.body.toString()) : undefined });
    }
    answers.page(response, verifyPage({ typed, found }), false);
  });
  const form = express.urlencoded({ extended: false, limit: PASTED_BYTES_AT_MOST, parameterLimit: 4 });
  const check: RequestHandler = (request, response) => checkPasted(request, response, answers, api);
  router.post('/verify', form, check);
}

/** Without script. The keys are read each time, so that it counts for the reader's address. */
async function checkPasted(request: Request, response: Response, answers: Answers, api: RegisterApi): Promise<void> {
  const { statement: given } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof given !== 'string') return answers.page(response, verifyPage({}), true);
  const reply = await api.keys(request, response);
  if (reply.status !== 200) return answers.trouble(response, reply);
  const verdict = await verdictBy(readKeys(reply.body.toString()), given);
  const statement = verdict.state === 'valid' ? readStatement(given) : undefined;
  const page = verifyPage({ pasted: { text: given, verdict, statement } });
  response.set('Cache-Control', 'no-store');
  answers.page(response, page, false);
}

function registerRoutes(router: Router, answers: Answers, api: RegisterApi): void {
  router.get('/register', async (request, response) => {
    const filter = filterOf(request.query);
    const { after } = request.query;
    const reply = await api.read(request, response, listPath(filter, after, 'page'));
    if (reply.status !== 200) return answers.trouble(response, reply);
    const statements = readStatements(reply.body.toString());
    const next = nextCursorOf(reply.headers['link']);
    answers.page(response, registerPage({ filter, after, statements, next }), true);
  });
  router.get('/register.csv', async (request, response) => {
    const path = listPath(filterOf(request.query), request.query['after'], 'csv');
    const reply = await api.read(request, response, path, 'text/csv');
    if (reply.status !== 200) return answers.trouble(response, reply);
    response.set('Content-Disposition', reply.headers['content-disposition'] ?? 'attachment');
    answers.document(response, reply.headers['content-type'] ?? 'text/csv', reply.body, true);
  });
}
