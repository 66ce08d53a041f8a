import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { request } from 'undici';
import { basicAuthorization, type Answer, type Client, type Method, type SendOptions } from '../../src/client.ts';
import type { System } from '../../src/system.ts';
import { operator } from './api.ts';

/** Clients of the previous generation of the API, which check every answer against its contract. */

export const previousPrefix = '/saleschannel-services';
const TIMEOUT_MS = 30_000;

interface Document {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, { $ref?: string }> }>>;
}

const segment = (text: string): string => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
const toPattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

export interface PreviousClient extends Client {
  /** Operations that have succeeded. */
  readonly succeeded: ReadonlySet<string>;
  /** All operations of the contract. */
  readonly operations: readonly string[];
}

/** Creates a client of the channel's operator. */
export async function createPreviousClient(
  { baseUrl }: System,
  channel: Parameters<typeof operator>[0],
): Promise<PreviousClient> {
  const { apiKey } = operator(channel);
  const shown = await request(`${baseUrl}/openapi-previous.json`);
  const document = (await shown.body.json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'previous');
  const succeeded = new Set<string>();

  /** @throws Error with the difference from the contract */
  function check(method: Method, path: string, { status, headers, text }: Answer<unknown>): void {
    expect(headers).toMatchObject({ deprecation: expect.any(String), sunset: expect.any(String) });
    expect(headers['link']).toContain('rel="successor-version"');
    const [template = '', methods = {}] =
      Object.entries(document.paths).find(([each]) => toPattern(each).test(path)) ?? [];
    const operation = methods[method.toLowerCase()];
    const response = operation?.responses[status];
    if (!response) throw new Error(`${method} ${path} answered ${status}, which the contract does not list: ${text}`);
    const at = response.$ref?.slice(1) ?? `/paths/${segment(template)}/${method.toLowerCase()}/responses/${status}`;
    const type = segment(String(headers['content-type']));
    const validate = ajv.compile({ $ref: `previous#${at}/content/${type}/schema` });
    validate(JSON.parse(text));
    expect({ path, text, errors: validate.errors ?? [] }).toEqual({ path, text, errors: [] });
    if (operation && status < 300) succeeded.add(operation.operationId);
  }

  async function send<T>(method: Method, path: string, options: SendOptions = {}): Promise<Answer<T>> {
    const { body, headers = {}, query } = options;
    const target = query === undefined ? path : `${path}?${new URLSearchParams(query).toString()}`;
    const mediaType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await request(`${baseUrl}${target}`, {
      method,
      headers: {
        authorization: basicAuthorization(apiKey.id, apiKey.secret),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await answer.body.text();
    const complete = { status: answer.statusCode, headers: answer.headers, text, body: JSON.parse(text) as T };
    check(method, path, complete);
    return complete;
  }

  return {
    send,
    async ok<T>(method: Method, path: string, options?: SendOptions) {
      const answer = await send<T>(method, path, options);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    succeeded,
    operations: Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    ),
  };
}
