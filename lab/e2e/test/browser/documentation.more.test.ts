import { documentationStories } from '../support/browser/documentation.ts';
import { inBrowser } from '../support/browser/in-browser.ts';

inBrowser({ documentation: documentationStories });
