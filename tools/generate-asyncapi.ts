// npm run generate:asyncapi [-- --check]
//
// Writes docs/integrate/asyncapi.yaml, the contract of the events on RabbitMQ, from their schemas (libs/contracts) and
// from the queues that they reach (libs/messaging). With --check nothing is written, and a difference ends with exit
// code 1.
import { stringify } from 'yaml';
import { asyncApiDocument } from './contracts/asyncapi.ts';
import { writeGenerated } from './generated-file.ts';

const HEAD = '# Made by "npm run generate:asyncapi" of libs/contracts and libs/messaging. Change those.\n';
// What is written more than once is written out: not every reader of YAML follows aliases.
writeGenerated(
  'docs/integrate/asyncapi.yaml',
  HEAD + stringify(asyncApiDocument(), { lineWidth: 0, blockQuote: 'literal', aliasDuplicateObjects: false }),
  'generate:asyncapi',
);
