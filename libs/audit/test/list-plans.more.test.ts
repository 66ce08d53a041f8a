import './list-plans.test.ts';
