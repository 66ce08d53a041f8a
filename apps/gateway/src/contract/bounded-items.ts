import { _, Name, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

/** Ajv's variable in generated code for the number of faults so far. */
const ERRORS = new Name('errors');
/** Ajv's `Type.Num`, because items have numbers as names. */
const NUMBER = 0;

/** Skips further checks of an array that is too long, so that its length is its only fault. */
function isWithinSize({ data, parentSchema }: KeywordCxt) {
  const { maxItems } = parentSchema as { maxItems?: number };
  return maxItems === undefined ? _`true` : _`${data}.length <= ${maxItems}`;
}

/** Ajv's `uniqueItems`, which compares all pairs of items, skipped for arrays beyond `maxItems`. */
export const createBoundedUniqueItems = ({ code, ...definition }: CodeKeywordDefinition): CodeKeywordDefinition => ({
  ...definition,
  code: (cxt) => void cxt.gen.if(isWithinSize(cxt), () => code(cxt)),
});

/**
 * Ajv's `items`, skipped for arrays beyond `maxItems`, and ended at this number of faults. Ajv itself stops at the
 * first fault or reports all, and all faults of a large array take seconds and hundreds of megabytes.
 */
export const createBoundedItems = (faultsAtMost: number): CodeKeywordDefinition => ({
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt) {
    const { gen, data } = cxt;
    gen.if(isWithinSize(cxt), () =>
      gen.forRange('item', 0, _`${data}.length`, (item) => {
        gen.if(_`${ERRORS} >= ${faultsAtMost}`, () => gen.break());
        cxt.subschema({ keyword: 'items', dataProp: item, dataPropType: NUMBER }, gen.name('isValid'));
      }),
    );
  },
});
