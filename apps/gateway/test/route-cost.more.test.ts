import { testRouteCost } from './support/route-cost.ts';

testRouteCost((targets) => targets);
