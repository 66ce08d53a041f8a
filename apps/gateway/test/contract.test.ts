import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { PLAIN_TEXT_PATTERN } from '@saleschannel/primitives/validation';
import { parseDocument } from 'yaml';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface Media {
  schema: { $ref?: string };
  example?: Json;
  examples?: Record<string, { value: Json }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Json;
  example?: Json;
}
interface Answer {
  $ref?: string;
  headers?: Record<string, Json>;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  tags: string[];
  'x-access': { principal: 'public' | 'user' | 'registry'; roles: string[]; self?: boolean };
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { enum?: string[]; required?: string[]; pattern?: string }>;
    parameters: Record<string, Parameter>;
    responses: Record<string, Answer>;
    headers: Record<string, { schema: Json; example?: Json }>;
  };
}

const document = parseDocument(readFileSync(new URL('../openapi/openapi.yaml', import.meta.url), 'utf8'));
const contract = document.toJS() as Contract;

const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(contract, 'contract');

/** All values in the document with their JSON Pointers. */
function* walk(value: unknown, pointer = ''): Generator<[string, unknown]> {
  yield [pointer, value];
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) {
    yield* walk(child, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const nodes = new Map(walk(contract));
const uri = (pointer: string) => `contract#${encodeURI(pointer)}`;
/** Values under `example` and `examples` are data. */
const isData = (pointer: string) => /\/(example|examples)(\/|$)/.test(pointer);

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation, name: operation.operationId })),
);
const byName = (name: string) => {
  const found = operations.find((entry) => entry.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
};

/** Every example in the document with the pointer of the schema that it must satisfy. */
function examples(): [string, string, Json][] {
  const found: [string, string, Json][] = [];
  for (const [pointer, value] of nodes) {
    if (isData(pointer) || value === null || typeof value !== 'object' || !('schema' in value)) continue;
    const holder = value as Media;
    if (holder.example !== undefined) found.push([`${pointer}/example`, `${pointer}/schema`, holder.example]);
    for (const [key, { value: example }] of Object.entries(holder.examples ?? {})) {
      found.push([`${pointer}/examples/${key}`, `${pointer}/schema`, example]);
    }
  }
  return found;
}

const bodySchema = (name: string, mediaType = 'application/json') => {
  const { path, method } = byName(name);
  const segment = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
  return `/paths/${segment(path)}/${method}/requestBody/content/${segment(mediaType)}/schema`;
};
const accepts = (pointer: string, value: unknown) => ajv.validate({ $ref: uri(pointer) }, value) as boolean;
const bodyExample = (name: string) => {
  const media = byName(name).operation.requestBody?.content['application/json'];
  return structuredClone(media?.example ?? Object.values(media?.examples ?? {})[0]?.value) as Record<string, unknown>;
};

describe('the document', () => {
  test('is YAML without errors or warnings', () => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  test('resolves every $ref within itself', () => {
    const broken = [...nodes]
      .filter(([pointer]) => pointer.endsWith('/$ref') && !isData(pointer))
      .filter(([, target]) => !String(target).startsWith('#/') || !nodes.has(String(target).slice(1)));
    expect(broken).toEqual([]);
  });

  test('states the same text pattern as the services', () => {
    const { Name, Text, NonEmptyText, RemovableText } = contract.components.schemas;
    for (const schema of [Name, Text, NonEmptyText, RemovableText]) expect(schema?.pattern).toBe(PLAIN_TEXT_PATTERN);
  });

  test('has only valid schemas, which compile', () => {
    const schemas = [...nodes].filter(
      ([pointer]) =>
        !isData(pointer) && (pointer.endsWith('/schema') || /^\/components\/schemas\/[^/]+$/.test(pointer)),
    );
    expect(schemas.length).toBeGreaterThan(150);
    for (const [pointer, schema] of schemas) {
      expect({ pointer, valid: ajv.validateSchema(schema as object), errors: ajv.errors ?? [] }).toEqual({
        pointer,
        valid: true,
        errors: [],
      });
      expect(() => ajv.compile({ $ref: uri(pointer) })).not.toThrow();
    }
  });

  test('has only examples that satisfy their schemas', () => {
    const all = examples();
    expect(all.length).toBeGreaterThan(100);
    for (const [pointer, schema, value] of all) {
      accepts(schema, value);
      expect({ pointer, errors: ajv.errors ?? [] }).toEqual({ pointer, errors: [] });
    }
  });

  test('closes every object schema of a request body', () => {
    const open: string[] = [];
    const visit = (pointer: string, seen = new Set<string>()) => {
      for (const [at, value] of walk(nodes.get(pointer), pointer)) {
        const schema = value as {
          $ref?: string;
          type?: unknown;
          properties?: unknown;
          additionalProperties?: unknown;
        } | null;
        if (schema === null || typeof schema !== 'object') continue;
        if (typeof schema.$ref === 'string' && !seen.has(schema.$ref))
          visit(schema.$ref.slice(1), seen.add(schema.$ref));
        if (schema.type === 'object' && schema.additionalProperties !== false) open.push(at);
      }
    };
    for (const { name, operation } of operations) {
      for (const mediaType of Object.keys(operation.requestBody?.content ?? {})) visit(bodySchema(name, mediaType));
    }
    expect(open).toEqual([]);
  });
});

describe('every operation', () => {
  const errors = ['400', '401', '403', '404', '429', '431', '500', '503'];
  const schemes = { public: [], user: ['bearerAuth', 'apiKeyAuth'], registry: ['registryKeyAuth'] };

  test('has a unique operationId in camel case', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][A-Za-z]+$/.test(name))).toEqual([]);
  });

  test.each(operations)('$name states its access and lists its errors', ({ path, operation }) => {
    const { principal, roles } = operation['x-access'];
    expect(operation.security.flatMap((entry) => Object.keys(entry))).toEqual(schemes[principal]);
    expect(principal === 'registry').toBe(path.startsWith('/Registry/api/'));
    expect(roles.filter((role) => !contract.components.schemas['Role']?.enum?.includes(role))).toEqual([]);
    for (const role of roles.filter((name) => name.endsWith('_VIEWER'))) {
      const administrator = role.replace('_VIEWER', '_ADMINISTRATOR');
      if (contract.components.schemas['Role']?.enum?.includes(administrator)) expect(roles).toContain(administrator);
    }
    if (principal === 'public') return;
    const expected = [...errors, ...(operation.requestBody === undefined ? [] : ['413', '415'])].sort();
    expect(
      Object.keys(operation.responses)
        .filter((status) => status >= '400')
        .sort(),
    ).toEqual(expected);
  });

  test.each(operations)('$name shows an example of each body', ({ operation }) => {
    const successes = Object.entries(operation.responses).filter(([status]) => status < '300');
    expect(successes.length).toBeGreaterThan(0);
    for (const content of [
      operation.requestBody?.content ?? {},
      ...successes.map(([, answer]) => answer.content ?? {}),
    ]) {
      for (const media of Object.values(content)) expect(media.example ?? media.examples).toBeDefined();
    }
    if (operation['x-access'].principal === 'public') return;
    for (const [, answer] of successes) {
      expect(Object.keys(answer.headers ?? {})).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
      );
    }
  });

  test.each(operations)(
    '$name declares the parameters of its path, without a pattern that would hide a 404',
    ({ path, operation }) => {
      const parameters = (operation.parameters ?? []).map((entry) =>
        entry.$ref === undefined ? entry : (nodes.get(entry.$ref.slice(1)) as Parameter),
      );
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
      if (operation.operationId === 'putFacility') return;
      for (const { schema } of inPath) expect(schema).toEqual({ type: 'string', minLength: 1, maxLength: 128 });
    },
  );
});

const v1 = '/saleschannel-services/v1';
const inventory = `${v1}/traders/{traderId}/inventory`;
const binding = '/user-services/users/{userId}/saleschannel-binding/{salesChannelId}';
test.each([
  ['listOwnApiKeys', 'get', '/authentication/users/me/api-keys', '200'],
  ['createApiKey', 'post', '/authentication/users/me/api-keys', '201'],
  ['deleteApiKey', 'delete', '/authentication/api-keys/{apiKeyId}', '200'],
  ['getOwnBinding', 'get', '/user-services/users/me/saleschannel-binding', '200'],
  ['getUserBinding', 'get', '/user-services/users/{userId}/saleschannel-binding', '200'],
  ['bindUser', 'post', binding, '201'],
  ['unbindUser', 'delete', binding, '200'],
  ['grantRole', 'post', `${binding}/roles`, '201'],
  ['removeRole', 'delete', `${binding}/roles`, '200'],
  ['acceptProposal', 'post', `${v1}/trader-onboarding-proposals/{traderOnboardingProposalId}/accept`, '201'],
  ['rejectProposal', 'post', `${v1}/trader-onboarding-proposals/{traderOnboardingProposalId}/reject`, '201'],
  ['createTrader', 'post', `${v1}/traders`, '201'],
  ['updateTrader', 'patch', `${v1}/traders/{traderId}`, '200'],
  ['listInventory', 'get', inventory, '200'],
  ['startOfframp', 'post', `${inventory}/offramp`, '201'],
  ['getOfframpTask', 'get', `${inventory}/offramp/{taskId}`, '200'],
  ['startTrade', 'post', `${inventory}/trade`, '201'],
  ['getTradeTask', 'get', `${inventory}/trade/{taskId}`, '200'],
  ['startRetirement', 'post', `${inventory}/retire`, '201'],
  ['getRetirementTask', 'get', `${inventory}/retire/{taskId}`, '200'],
  ['listTransactions', 'get', `${v1}/transactions`, '200'],
  ['getProductionFacility', 'get', `${v1}/production-facilities/{productionFacilityId}`, '200'],
  ['listEvents', 'get', `${v1}/events`, '200'],
  ['listAccountHolders', 'get', '/Registry/api/account-holders', '200'],
])('%s is %s %s and answers %s', (name, method, path, status) => {
  const found = byName(name);
  expect([found.method, found.path]).toEqual([method, path]);
  expect(Object.keys(found.operation.responses).filter((code) => code < '300')).toEqual([status]);
});

describe('request bodies refuse', () => {
  const start = {
    trade: bodyExample('startTrade'),
    retirement: bodyExample('startRetirement'),
    offramp: bodyExample('startOfframp'),
  };
  const asset = { start: 'a_1', end: 'a_9' };
  test.each<[string, string, Record<string, unknown>]>([
    ['a trade of nothing', 'startTrade', { ...start.trade, assets: [] }],
    ['more than 1000 selections', 'startOfframp', { assets: Array.from({ length: 1001 }, () => asset) }],
    ['an unknown member', 'startTrade', { ...start.trade, note: 'x' }],
    ['an unknown member of a selection', 'startOfframp', { assets: [{ ...asset, unitPrice: 1 }] }],
    ['a trade without a price', 'startTrade', { ...start.trade, assets: [asset] }],
    ['a price as text', 'startTrade', { ...start.trade, assets: [{ ...asset, unitPrice: '1' }] }],
    ['a negative price', 'startTrade', { ...start.trade, assets: [{ ...asset, unitPrice: -1 }] }],
    ['a trade without a currency', 'startTrade', { ...start.trade, currency: null }],
    ['an unprefixed serial', 'startOfframp', { assets: [{ start: '1', end: '9' }] }],
    ['a retirement that leaves the currency out', 'startRetirement', { ...start.retirement, currency: undefined }],
    ['a lower-case country', 'startRetirement', { ...start.retirement, consumptionCountryCode: 'no' }],
    ['an empty location', 'startRetirement', { ...start.retirement, beneficiaryLocation: '' }],
    ['an empty purpose', 'startRetirement', { ...start.retirement, retirementPurpose: '' }],
    [
      'a date without a time',
      'startRetirement',
      { ...start.retirement, consumptionPeriod: { start: '2024-01-01', end: '2024-12-31' } },
    ],
    ['a trader without an address', 'createTrader', { businessId: 'b', name: 'n' }],
    ['null for a name in a patch', 'updateTrader', { name: null }],
    ['null for the whole address in a patch', 'updateTrader', { address: null }],
    ['an unknown address member', 'updateTrader', { address: { zip: '1' } }],
    ['null for a required member of an account holder', 'updateAccountHolder', { address: { city: null } }],
    ['a standard with an underscore', 'createIssuance', { ...bodyExample('createIssuance'), standard: 'A_B' }],
  ])('%s', (_title, name, value) => {
    expect(accepts(bodySchema(name), JSON.parse(JSON.stringify(value)))).toBe(false);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['an empty patch', 'updateTrader', {}],
    ['a patch that removes an address member', 'updateTrader', { address: { poBox: null } }],
    ['a beneficiary without a name', 'startRetirement', { ...start.retirement, beneficiaryName: '' }],
    ['an address of 1,000 characters', 'updateTrader', { address: { poBox: 'x'.repeat(1_000) } }],
    ['an empty address', 'createTrader', { businessId: 'b', name: 'n', address: {} }],
    [
      'a serial of 38 digits',
      'startOfframp',
      { assets: [{ start: `a_b_${'0'.repeat(37)}1`, end: `a_b_${'9'.repeat(38)}` }] },
    ],
    [
      'a retirement with its defaults left out',
      'startRetirement',
      { ...start.retirement, usageType: undefined, beneficiaryType: undefined },
    ],
    [
      'null for an optional member of the registry',
      'createIssuance',
      { ...bodyExample('createIssuance'), creditTypeId: null, expirationDate: null },
    ],
  ])('but not %s', (_title, name, value) => {
    expect(accepts(bodySchema(name), JSON.parse(JSON.stringify(value)))).toBe(true);
  });

  test('an import line without, or with two, account holders', () => {
    const { accountHolderId, salesChannelId: _unused, ...issuance } = bodyExample('createIssuance');
    const line = { type: 'issuance', ...issuance };
    const schema = '/components/schemas/ImportLine';
    expect(accepts(schema, line)).toBe(false);
    expect(accepts(schema, { ...line, accountHolderId, accountHolderBusinessId: 'b' })).toBe(false);
    expect(accepts(schema, { ...line, accountHolderBusinessId: 'b' })).toBe(true);
  });
});

test('a listable asset has the sixteen fields of the listing and no other', () => {
  expect(contract.components.schemas['ListableAsset']?.required?.toSorted()).toEqual([
    'certificates',
    'countryCode',
    'creditTypeId',
    'end',
    'expirationDate',
    'issuanceId',
    'issuingDate',
    'methodologyCode',
    'productionEndDate',
    'productionFacilityId',
    'productionStartDate',
    'standard',
    'start',
    'supplierId',
    'vintage',
    'volume',
  ]);
});
