import './route-cost.test.ts';
