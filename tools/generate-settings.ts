// npm run generate:settings [-- --check]
//
// Writes docs/operate/settings.md from what every program declares that it reads. With --check nothing is written,
// and a difference ends with exit code 1.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { settingsPage } from './contracts/settings-page.ts';
import { writeGenerated } from './generated-file.ts';

const compose = ['docker-compose.yml', 'docker-compose.all-in-one.yml']
  .map((file) => readFileSync(join(resolve(import.meta.dirname, '..'), file), 'utf8'))
  .join('');
writeGenerated('docs/operate/settings.md', settingsPage(compose), 'generate:settings');
