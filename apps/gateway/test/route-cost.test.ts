import { oneOfEachKind, testRouteCost } from './support/route-cost.ts';

// route-cost.more.test.ts has all.
testRouteCost(oneOfEachKind);
