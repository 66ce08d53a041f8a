import type { OpenApi } from '../../openapi-differ.ts';
import type { Schema } from '../../schema-differ.ts';

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

export const recordSchema: Schema = {
  type: 'object',
  required: ['id', 'state'],
  properties: {
    id: { type: 'string' },
    state: { type: 'string', enum: ['OPEN', 'DONE'] },
    parent: { $ref: '#/components/schemas/Thing' },
    amount: { type: ['string', 'null'], deprecated: true },
  },
};
