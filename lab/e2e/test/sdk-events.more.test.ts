import './sdk-events.test.ts';
