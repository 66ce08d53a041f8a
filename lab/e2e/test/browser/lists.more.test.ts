import { inBrowser } from '../support/browser/in-browser.ts';
import { listStories, listMeasurements } from '../support/browser/lists.ts';

inBrowser({ '100,000 bundles': listStories(100_000), measurements: listMeasurements });
