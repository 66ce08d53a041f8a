import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { loadContract } from '../src/contract/document.ts';
import { operations, type PublicOperation } from './support/public-contract.ts';
import { startSystem, type System } from './support/system.ts';

/** Examples of the contract work as promised. */

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

const readMedia = ({ raw }: PublicOperation): [string, Media][] => Object.entries(raw.requestBody?.content ?? {});
const readBodies = ({ example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map(({ value }) => value),
];

/** Resolves a JSON pointer without its first slash. */
const valueAt = (value: unknown, pointer: string): unknown =>
  pointer.split('/').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value);

const bodies = operations.flatMap((operation) =>
  readMedia(operation).flatMap(([mediaType, media]) =>
    readBodies(media).map((body, index) => ({ id: operation.id, mediaType, index, body })),
  ),
);

test('every operation with a body has one', () => {
  const withBody = operations.filter(({ raw }) => raw.requestBody !== undefined).map(({ id }) => id);
  expect([...new Set(bodies.map(({ id }) => id))]).toEqual(withBody);
});

test.each(bodies)('$id is accepted with its example $index of $mediaType', async ({ id, mediaType, body }) => {
  const query = mediaType === 'text/csv' ? 'type=account-holder' : '';
  const headers = { 'Content-Type': mediaType };
  const { status, text } = await system.call(id, { body, headers, query });
  expect({ isFine: [200, 201, 202].includes(status), status, text }).toMatchObject({ isFine: true });
});

const toText = (example: unknown): string =>
  Array.isArray(example) ? example.join(',') : typeof example === 'object' ? JSON.stringify(example) : String(example);
const written = ({ name, example }: PublicOperation['parameters'][number]): [string, string] => [name, toText(example)];

/** Each with the required parameters of its operation. */
const queryExamples = operations.flatMap(({ id, parameters }) => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query' && parameter.example !== undefined);
  const required = inQuery.filter((parameter) => parameter.required === true).map(written);
  return inQuery.map((parameter) => ({ id, name: parameter.name, query: [...required, written(parameter)] }));
});

test.each(queryExamples)('$id is accepted with the example of $name', async ({ id, query: examples }) => {
  const query = new URLSearchParams(Object.fromEntries(examples)).toString();
  // Optional parameters are for CSV: lines of JSON contain these values.
  const csv = bodies.find((body) => body.id === id && body.mediaType === 'text/csv');
  const content = csv && { body: csv.body, headers: { 'Content-Type': csv.mediaType } };
  const { status, text } = await system.call(id, { query, ...content });
  expect({ isFine: [200, 201, 202].includes(status), id, status, text }).toMatchObject({ isFine: true });
});

describe('an example of a future date', () => {
  const DAY_MS = 86_400_000;

  test.each(['2025-01-01', '2026-11-30', '2031-12-31'])('is in the future on %s, within two years', (day) => {
    const today = new Date(`${day}T12:00:00Z`);
    const { text, document } = loadContract({ today });
    const { post } =
      (document['paths'] as Record<string, Record<string, PublicOperation['raw']>>)['/account-portal/registry-keys'] ??
      {};
    const example = post?.requestBody?.content['application/json']?.example;
    const { expiresAt } = (example ?? {}) as { expiresAt: string };
    expect(text).toContain(`expiresAt: '${expiresAt}'`);
    expect(Date.parse(expiresAt)).toBeGreaterThan(today.getTime() + 300 * DAY_MS);
    expect(Date.parse(expiresAt)).toBeLessThan(today.getTime() + 700 * DAY_MS);
  });
});

describe('links lead from a response to a fitting operation', () => {
  const components = loadContract().document['components'] as { links: Record<string, Link> };
  interface Link {
    readonly operationId: string;
    readonly parameters: Readonly<Record<string, string>>;
  }

  test.each(Object.entries(components.links))('%s', (_name, { operationId, parameters }) => {
    const target = operations.find(({ id }) => id === operationId);
    expect(target?.path.match(/\{\w+\}/g)?.toSorted()).toEqual(
      Object.keys(parameters)
        .map((name) => `{${name}}`)
        .toSorted(),
    );
  });

  const followed = operations.flatMap((operation) =>
    Object.values(operation.raw.responses).flatMap(({ links = {}, content = {} }) =>
      Object.keys(links).map((name) => ({ id: operation.id, path: operation.path, name, content })),
    ),
  );

  test.each(followed)('$name of $id finds its value', ({ path, name, content }) => {
    const answers = Object.values(content).flatMap((media) => readBodies(media));
    for (const expression of Object.values(components.links[name]?.parameters ?? {})) {
      const [source = '', location = ''] = expression.split(/[.#]\/?(?=[^.#]*$)/);
      if (source === '$request.path') expect(path).toContain(`{${location}}`);
      else expect(answers.map((answer) => valueAt(answer, location))).toContainEqual(expect.any(String));
    }
  });

  test('and all are used', () => {
    const document = JSON.stringify(loadContract().document);
    for (const name of Object.keys(components.links)) expect(document).toContain(`"#/components/links/${name}"`);
  });
});

test('the contract is an object in YAML and in JSON', async () => {
  await system.call('getContractYaml');
  const { text } = await system.call('getContractJson');
  expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', paths: expect.any(Object) });
});
