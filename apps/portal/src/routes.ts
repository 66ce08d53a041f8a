import {
  createSiteApp,
  notFoundHandler,
  createPageRoutes,
  requireOwnPage,
  type Site,
  type Upstream,
  type WebFiles,
  createRateLimitRecorder,
  toRequestFault,
  type PublicReply,
} from '@saleschannel/edge/pages';
import { createReadiness, SECURITY_TXT, SECURITY_TXT_TYPE, formatSecurityTxt } from '@saleschannel/runtime';
import { type Express, Router, type ErrorRequestHandler, type Request, type Response } from 'express';
import { toNetwork } from '@saleschannel/edge';
import { DomainError } from '@saleschannel/errors';
import { type PdfPrinter, PdfNotReady } from './public/pdf/printer.ts';
import { type Verifier, parseQuery, renderVerifyPage, type Found } from './public/verify/verifier.ts';
import { PageResponder, type Visibility, createPublicFiles } from './public/page.ts';
import { type CachedReply, RegisterApi } from './public/register-api.ts';
import { parseFilter, createListPath, parseNextCursor, renderRegisterPage } from './public/register-page.ts';
import { readKeys, readStatements, readStatus, type Statement } from './public/statement.ts';
import { renderStatementPage } from './public/statement-page.ts';

/** For a PDF that is not ready yet. */
const PDF_RETRY_AFTER_SECONDS = '10';
const JSON_TYPE = 'application/json';

interface PublicOptions extends Site {
  readonly upstream: Upstream;
  readonly printer: PdfPrinter;
  readonly verifier: Verifier;
}

interface PublicRoutes {
  readonly router: Router;
  sendNotFound(response: Response): void;
}

interface Parts extends PublicOptions {
  readonly answers: PageResponder;
  readonly api: RegisterApi;
}

/** Creates the routes of public pages, which work without script. They precede the pages of signed-in users. */
function createPublicRoutes(options: PublicOptions): PublicRoutes {
  const { upstream, now } = options;
  const router = Router();
  const files = createPublicFiles();
  const answers = new PageResponder({ ...files.addresses, isSandbox: options.isSandbox }, now);
  const api = new RegisterApi(upstream, now);
  router.use(createRateLimitRecorder(options.securityLog), files.router);
  const parts: Parts = { ...options, answers, api };
  pdfRoute(router, parts);
  statementRoutes(router, parts);
  verifyRoutes(router, parts);
  registerRoutes(router, parts);
  router.use(faultHandler(answers));
  return { router, sendNotFound: (response) => answers.sendNotFound(response) };
}

const faultHandler =
  (answers: PageResponder): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const fault = toRequestFault(error);
    if (fault) answers.sendRefusal(response, fault);
    else next(error);
  };

/** Passes an answer of the API to a program unchanged. */
function sendReply(response: Response, reply: Awaited<ReturnType<RegisterApi['read']>>): void {
  response.set({ 'Cache-Control': 'no-store', ...reply.headers });
  response.status(reply.status).send(reply.body);
}

function statementRoutes(router: Router, { answers, api }: Parts): void {
  router.get('/.well-known/statement-keys.json', async (_request, response) => {
    const reply = await api.keys(response);
    if (reply.status === 200) answers.sendDocument(response, JSON_TYPE, reply.body, { ...reply, isListed: true });
    else sendReply(response, reply);
  });
  router.get('/r/:id.json', async (request, response) => {
    const reply = await api.readStatement(response, request.params.id);
    if (reply.status !== 200) return sendReply(response, reply);
    const statement = api.parse(reply);
    response.set('Content-Disposition', `attachment; filename="statement-${statement.id}.json"`);
    answers.sendDocument(response, JSON_TYPE, reply.body, toVisibility(statement, reply));
  });
  router.get('/r/:id', async (request, response) => {
    const reply = await api.readStatement(response, request.params.id);
    if (reply.status !== 200) return answers.sendFailure(response, reply);
    const statement = api.parse(reply);
    const verdict = await api.verifyStatement(response, reply);
    answers.sendPage(response, renderStatementPage(statement, verdict), toVisibility(statement, reply));
  });
}

const toVisibility = ({ publication }: Statement, { ageSeconds }: CachedReply): Visibility => ({
  isListed: publication === 'PUBLIC',
  ageSeconds,
});

function pdfRoute(router: Router, { answers, api, printer, publicUrl, logger }: Parts): void {
  router.get('/r/:id.pdf', async (request, response) => {
    const reply = await api.readStatement(response, request.params.id);
    if (reply.status !== 200) return answers.sendFailure(response, reply);
    const statement = api.parse(reply);
    const verdict = await api.verifyStatement(response, reply);
    const url = new URL(`/r/${statement.id}`, publicUrl).href;
    try {
      const job = { text: reply.body.toString(), verdict, url };
      const pdf = await printer.print(job, toNetwork(request.ip ?? 'unknown'));
      response.set('Content-Disposition', `inline; filename="statement-${statement.id}.pdf"`);
      answers.sendDocument(response, 'application/pdf', pdf, toVisibility(statement, reply));
    } catch (error) {
      if (!(error instanceof PdfNotReady)) logger.warn({ err: error }, 'a PDF could not be created');
      answers.sendFailure(response, { status: 503, headers: { 'retry-after': PDF_RETRY_AFTER_SECONDS } });
    }
  });
}

function verifyRoutes(router: Router, parts: Parts): void {
  const { answers, api } = parts;
  router.get('/verify', async (request, response) => {
    const typed = request.query['id'];
    if (typeof typed !== 'string') return answers.sendPage(response, renderVerifyPage({}), { isListed: true });
    const query = parseQuery(typed);
    if (!query) return answers.sendPage(response, renderVerifyPage({ typed, isInvalid: true }), { isListed: false });
    if (query.kind === 'statement') return response.redirect(303, `/r/${encodeURIComponent(query.id)}`);
    const found: Found[] = [];
    for (const id of query.ids) {
      const reply = await api.readCertificate(response, id);
      if (![200, 400, 404].includes(reply.status)) return answers.sendFailure(response, reply);
      found.push({ id, status: reply.status === 200 ? readStatus(reply.body.toString()) : undefined });
    }
    answers.sendPage(response, renderVerifyPage({ typed, found }), { isListed: false });
  });
  router.post('/verify', (request, response) => checkPasted(request, response, parts));
}

/** Checks without script. Reads the keys each time, so that it counts against the reader's rate limit. */
async function checkPasted(
  request: Request,
  response: Response,
  { answers, api, verifier, logger }: Parts,
): Promise<void> {
  try {
    const checked = await verifier.verify(request, async () => {
      const reply = await api.keys(response);
      if (reply.status !== 200) throw new KeysUnavailable(reply);
      return readKeys(reply.body.toString());
    });
    answers.sendPage(response, renderVerifyPage(checked === undefined ? {} : { checked }), { isListed: false });
  } catch (error) {
    if (error instanceof KeysUnavailable) return answers.sendFailure(response, error.reply);
    if (error instanceof DomainError) throw error;
    logger.warn({ err: error }, 'a statement could not be checked');
    answers.sendFailure(response, { status: 503, headers: {} });
  }
}

class KeysUnavailable extends Error {
  readonly reply: PublicReply;

  constructor(reply: PublicReply) {
    super('the keys of statements could not be read');
    this.reply = reply;
  }
}

function registerRoutes(router: Router, { answers, api }: Parts): void {
  router.get('/register', async (request, response) => {
    const filter = parseFilter(request.query);
    const { after } = request.query;
    const reply = await api.read(response, createListPath(filter, after, 'page'));
    if (reply.status !== 200) return answers.sendFailure(response, reply);
    const statements = readStatements(reply.body.toString());
    const next = parseNextCursor(reply.headers['link']);
    answers.sendPage(response, renderRegisterPage({ filter, after, statements, next }), { ...reply, isListed: true });
  });
  router.get('/register.csv', async (request, response) => {
    const path = createListPath(parseFilter(request.query), request.query['after'], 'csv');
    const reply = await api.read(response, path, 'text/csv');
    if (reply.status !== 200) return answers.sendFailure(response, reply);
    response.set('Content-Disposition', reply.headers['content-disposition'] ?? 'attachment');
    answers.sendDocument(response, reply.headers['content-type'] ?? 'text/csv', reply.body, {
      ...reply,
      isListed: true,
    });
  });
}

const PROBE_TIMEOUT_MS = 1_000;
const READINESS_OF_API = '/readyz';

export interface RoutesOptions {
  readonly site: Site;
  readonly securityContact: string | undefined;
  readonly files: WebFiles;
  readonly upstream: Upstream;
  readonly printer: PdfPrinter;
  readonly verifier: Verifier;
}

export function createRoutes({ site, securityContact, files, upstream, printer, verifier }: RoutesOptions): Express {
  const { publicUrl, sessions, securityLog, now } = site;
  return createSiteApp(site, {
    isReady: createReadiness([() => upstream.isReady(READINESS_OF_API, PROBE_TIMEOUT_MS)]),
    addRoutes(app) {
      app.get(SECURITY_TXT, (request, response, next) => {
        if (securityContact === undefined) return notFoundHandler(request, response, next);
        response.type(SECURITY_TXT_TYPE).send(formatSecurityTxt(securityContact, now()));
      });
      app.use('/api', requireOwnPage(publicUrl, securityLog), upstream.handler);
      app.use('/assets', files.assets, notFoundHandler);
      const { router, sendNotFound } = createPublicRoutes({ ...site, upstream, printer, verifier });
      app.use(router);
      // Signed-in users see unknown addresses in the frame of their pages.
      app.use(
        createPageRoutes(files, async (_request, response, next) => {
          if (await sessions.read(response)) next();
          else sendNotFound(response);
        }),
      );
    },
  });
}
