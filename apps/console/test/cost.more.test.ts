import './cost.test.ts';
