import './sdk-trades.test.ts';
