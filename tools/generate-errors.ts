// npm run generate:errors [-- --check]
//
// Writes docs/errors.md from the codes of libs/errors, which the types hold every error to. With --check nothing is
// written, and a difference ends with exit code 1.
import { errorsPage } from './contracts/errors-page.ts';
import { writeGenerated } from './generated-file.ts';

writeGenerated('docs/errors.md', errorsPage(), 'generate:errors');
