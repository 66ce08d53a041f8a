import { expect, test } from '@jest/globals';
import { deprecatedInOpenApi, compareOpenApi, type OpenApi } from '../openapi-differ.ts';
import type { Schema } from '../schema-differ.ts';

/** A small contract with one operation. */
export const contract = (thing: Schema, body: Schema = { type: 'object' }): OpenApi => ({
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } }],
        requestBody: { required: false, content: { 'application/json': { schema: body } } },
        responses: { 201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
        'x-access': { roles: ['READER', 'WRITER'] },
        'x-max-body-bytes': 200_000,
      },
    },
  },
  components: { schemas: { Thing: thing } },
});

const recordSchema: Schema = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['OPEN', 'DONE'] },
    parent: { $ref: '#/components/schemas/Thing' },
    amount: { type: ['string', 'null'], deprecated: true },
  },
};

const rulesOf = (older: OpenApi, newer: OpenApi): string[] =>
  compareOpenApi(older, newer).map(({ element, rule }) => `${element} ${rule}`);

const withProperties = (properties: Record<string, Schema>): Schema => ({
  ...recordSchema,
  properties: { ...recordSchema.properties, ...properties },
});
const without = (name: string): Schema => {
  const { [name]: _, ...properties } = recordSchema.properties ?? {};
  return { ...recordSchema, properties };
};

test.each<[string, Schema, string[]]>([
  ['the same', recordSchema, []],
  ['a field that is added', withProperties({ colour: { type: 'string' } }), []],
  ['a value that is no longer sent', withProperties({ state: { type: 'string', enum: ['OPEN'] } }), []],
  ['a field that is removed', without('amount'), ['Thing.amount RESPONSE_FIELD_REMOVED']],
  ['a field that may be missing', { ...recordSchema, required: ['id'] }, ['Thing.state RESPONSE_FIELD_OPTIONAL']],
  [
    'a value that is new',
    withProperties({ state: { type: 'string', enum: ['OPEN', 'DONE', 'LOST'] } }),
    ['Thing.state RESPONSE_ENUM_WIDENED'],
  ],
  ['another type', withProperties({ id: { type: 'integer' } }), ['Thing.id RESPONSE_TYPE_CHANGED']],
  ['null', withProperties({ id: { type: ['string', 'null'] } }), ['Thing.id RESPONSE_TYPE_CHANGED']],
])('in a response: %s', (_what, newer, rules) => {
  expect(rulesOf(contract(recordSchema), contract(newer))).toEqual(rules);
});

const body: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 10 }, kind: { type: 'string', enum: ['A', 'B'] } },
};

test.each<[string, Schema, string[]]>([
  ['the same', body, []],
  ['a field that is added', { ...body, properties: { ...body.properties, colour: { type: 'string' } } }, []],
  ['a field that becomes optional', { ...body, required: [] }, []],
  [
    'a field that becomes required',
    { ...body, required: ['name', 'kind'] },
    ['POST /things request.kind REQUEST_FIELD_REQUIRED'],
  ],
  [
    'a field that is removed',
    { ...body, properties: { name: { type: 'string', maxLength: 10 } } },
    ['POST /things request.kind REQUEST_FIELD_REMOVED'],
  ],
  [
    'a value that is refused, and a lower limit',
    { ...body, properties: { name: { type: 'string', maxLength: 9 }, kind: { type: 'string', enum: ['A'] } } },
    ['POST /things request.name REQUEST_LIMIT_TIGHTENED', 'POST /things request.kind REQUEST_ENUM_NARROWED'],
  ],
])('in a request: %s', (_what, newer, rules) => {
  expect(rulesOf(contract(recordSchema, body), contract(recordSchema, newer))).toEqual(rules);
});

/** The contract with a change of its only operation. */
function changed(change: (operation: Record<string, unknown>) => void): OpenApi {
  const copy = structuredClone(contract(recordSchema)) as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  const operation = copy.paths['/things']?.post;
  if (!operation) throw new Error('the contract has no operation');
  change(operation);
  return copy as unknown as OpenApi;
}

test.each<[string, OpenApi, string[]]>([
  ['the operation', { ...contract(recordSchema), paths: {} }, ['POST /things OPERATION_REMOVED']],
  [
    'a role',
    changed((operation) => void (operation['x-access'] = { roles: ['WRITER'] })),
    ['POST /things ROLE_REMOVED'],
  ],
  [
    'bytes of a body',
    changed((operation) => void (operation['x-max-body-bytes'] = 100_000)),
    ['POST /things request REQUEST_LIMIT_TIGHTENED'],
  ],
  [
    'bytes of a body, back to the default',
    changed((operation) => void delete operation['x-max-body-bytes']),
    ['POST /things request REQUEST_LIMIT_TIGHTENED'],
  ],
  [
    'a parameter',
    changed((operation) => void (operation.parameters = [])),
    ['POST /things query limit PARAMETER_REMOVED'],
  ],
  [
    'an optional parameter, and part of its range',
    changed((operation) => {
      operation.parameters = [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer', maximum: 50 } }];
    }),
    ['POST /things query limit PARAMETER_REQUIRED', 'POST /things query limit REQUEST_LIMIT_TIGHTENED'],
  ],
  [
    'the success status',
    changed((operation) => void (operation.responses = { 200: {}, 404: {} })),
    ['POST /things 201 RESPONSE_REMOVED', 'POST /things 200 RESPONSE_STATUS_ADDED'],
  ],
])('removed: %s', (_what, newer, rules) => {
  expect(rulesOf(contract(recordSchema), newer).toSorted()).toEqual(rules.toSorted());
});

test('a deprecated element has the name of its breach', () => {
  expect(deprecatedInOpenApi(contract(recordSchema))).toEqual(['Thing.amount']);
  const [breach] = compareOpenApi(contract(recordSchema), contract(without('amount')));
  expect(breach?.element).toBe('Thing.amount');
});
