import { _, Name, type CodeKeywordDefinition } from 'ajv';

/** What Ajv calls the number of faults found so far in the code that it makes. */
const ERRORS = new Name('errors');
/** Ajv's `Type.Num`: an item is named by a number. */
const BY_NUMBER = 0;

/**
 * The keyword `items` as Ajv has it, but for two things. An array with more items than `maxItems` is not looked into:
 * its size is what is wrong with it. And once so many faults are found, further items are not looked at. Ajv knows only
 * "the first fault" and "all faults", and all faults of a large array take seconds and hundreds of megabytes.
 */
export const boundedItems = (faultsAtMost: number): CodeKeywordDefinition => ({
  keyword: 'items',
  type: 'array',
  schemaType: ['object', 'boolean'],
  before: 'uniqueItems',
  code(cxt) {
    const { gen, data, parentSchema } = cxt;
    const { maxItems } = parentSchema as { maxItems?: number };
    const isLooked = maxItems === undefined ? _`true` : _`${data}.length <= ${maxItems}`;
    gen.if(isLooked, () =>
      gen.forRange('item', 0, _`${data}.length`, (item) => {
        gen.if(_`${ERRORS} >= ${faultsAtMost}`, () => gen.break());
        cxt.subschema({ keyword: 'items', dataProp: item, dataPropType: BY_NUMBER }, gen.name('isValid'));
      }),
    );
  },
});
