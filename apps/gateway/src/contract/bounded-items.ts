import { _, Name, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';

/** What Ajv calls the number of faults found so far in the code that it makes. */
const ERRORS = new Name('errors');
/** Ajv's `Type.Num`: an item is named by a number. */
const BY_NUMBER = 0;

/** Checks that an array has at most `maxItems` items. A longer one has that fault alone. */
function isWithinSize({ data, parentSchema }: KeywordCxt) {
  const { maxItems } = parentSchema as { maxItems?: number };
  return maxItems === undefined ? _`true` : _`${data}.length <= ${maxItems}`;
}

/** The keyword `uniqueItems` of Ajv, which compares each item with each other, for arrays that are not too large. */
export const boundedUniqueItems = ({ code, ...definition }: CodeKeywordDefinition): CodeKeywordDefinition => ({
  ...definition,
  code: (cxt) => void cxt.gen.if(isWithinSize(cxt), () => code(cxt)),
});

/**
 * The keyword `items` as Ajv has it, but for two things. An array with more items than `maxItems` is not looked into.
 * And once so many faults are found, further items are not looked at. Ajv knows only "the first fault" and "all
 * faults", and all faults of a large array take seconds and hundreds of megabytes.
 */
export const boundedItems = (faultsAtMost: number): CodeKeywordDefinition => ({
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt) {
    const { gen, data } = cxt;
    gen.if(isWithinSize(cxt), () =>
      gen.forRange('item', 0, _`${data}.length`, (item) => {
        gen.if(_`${ERRORS} >= ${faultsAtMost}`, () => gen.break());
        cxt.subschema({ keyword: 'items', dataProp: item, dataPropType: BY_NUMBER }, gen.name('isValid'));
      }),
    );
  },
});
