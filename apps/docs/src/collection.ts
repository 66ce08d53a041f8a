import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, type Page } from './sources.ts';

/** Members of a Postman collection used here (schema.getpostman.com, 2.1.0). */
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: Request;
  readonly [member: string]: unknown;
}
interface Parameter {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}
interface Request {
  readonly header: readonly Parameter[];
  readonly url: {
    readonly path: readonly string[];
    readonly query: readonly Parameter[];
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}
interface Collection {
  readonly info: Readonly<Record<string, unknown>>;
  readonly item: readonly Item[];
  readonly [member: string]: unknown;
}

type Result =
  | { readonly result: true; readonly output: readonly [{ readonly data: Collection }] }
  | { readonly result: false; readonly reason: string };
interface Converter {
  convert(
    input: { readonly type: 'string'; readonly data: string },
    options: Readonly<Record<string, unknown>>,
    done: (error: Error | null, result: Result) => void,
  ): void;
}

const CONTRACT = 'apps/gateway/src/contract/gen/openapi.json';
const NAME = 'saleschannel.postman_collection.json';
export const COLLECTION = `files/${NAME}`;

const basicAuth = (username: string, password: string): object => ({
  type: 'basic',
  basic: [
    { key: 'username', value: `{{${username}}}` },
    { key: 'password', value: `{{${password}}}` },
  ],
});

/** Cursors come from responses. The contract has no example, and the converter would invent one. */
const CURSORS = new Set(['after', '$after']);

/**
 * Drops response examples, which would make the file ten times as large, and random ids, so that the same contract
 * gives the same file. Tools assign their own ids.
 */
function cleanItem({ item, request, response: _examples, id: _drawn, ...rest }: Item): Item {
  if (item) return { ...rest, item: item.map(cleanItem) };
  if (!request) return rest;
  const { auth: _bearer, url, ...others } = request;
  return {
    ...rest,
    request: {
      ...others,
      url: {
        ...url,
        query: url.query.map((parameter) => (CURSORS.has(parameter.key) ? { ...parameter, value: '' } : parameter)),
      },
      ...(url.path[0] === 'Registry' ? { auth: basicAuth('registryKey', 'registrySecret') } : {}),
      header: request.header.map((header) =>
        // A fixed key would make all requests the same. Sent even where it is optional.
        header.key === 'Idempotency-Key' ? { ...header, value: '{{$guid}}', disabled: false } : header,
      ),
    },
  };
}

/** Every operation with its example, authenticated by an API key or a registry key. */
export async function collection(): Promise<string> {
  const converter = createRequire(import.meta.url)('openapi-to-postmanv2') as Converter;
  const options = {
    folderStrategy: 'Tags',
    requestParametersResolution: 'Example',
    exampleParametersResolution: 'Example',
    optimizeConversion: true,
    // Optional parameters contradict each other, such as offset and cursor.
    enableOptionalParameters: false,
  };
  const data = readFileSync(join(root, CONTRACT), 'utf8');
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  converter.convert({ type: 'string', data }, options, (error, result) => (error ? reject(error) : resolve(result)));
  const converted = await promise;
  if (!converted.result) throw new Error(`the contract cannot be converted: ${converted.reason}`);
  const {
    item,
    info: { _postman_id: _drawn, ...info },
    ...rest
  } = converted.output[0].data;
  const variable = Object.entries({
    baseUrl: 'http://127.0.0.1:8080',
    keyId: '',
    keySecret: '',
    registryKey: '',
    registrySecret: '',
  }).map(([key, value]) => ({ key, value, type: 'string' }));
  const auth = basicAuth('keyId', 'keySecret');
  return `${JSON.stringify({ info, ...rest, auth, variable, item: item.map(cleanItem) })}\n`;
}

export const collectionPage: Page = {
  slug: 'collection',
  title: 'Postman and Bruno',
  source: CONTRACT,
  markdown: `
[A collection of all operations](/docs/${COLLECTION}), generated from [the contract](/openapi.yaml), with an example of
each request. In Postman choose Import; in Bruno choose Import Collection, then Postman Collection. Optional parameters
are included but disabled.

Set its variables: \`baseUrl\` (address of the gateway), \`keyId\` and \`keySecret\` (an API key), and for the registry
API \`registryKey\` and \`registrySecret\`. Store secrets in the vault or environment of the tool, not in the
collection. Each request gets its own \`Idempotency-Key\`. To repeat a request without a response, send the same key
again.
`,
};
