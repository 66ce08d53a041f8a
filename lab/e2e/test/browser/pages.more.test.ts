import { accessibilityStories } from '../support/browser/accessibility.ts';
import { inBrowser } from '../support/browser/in-browser.ts';
import { pseudoStories } from '../support/browser/pseudo.ts';

inBrowser({ accessibility: accessibilityStories, 'another language': pseudoStories });
