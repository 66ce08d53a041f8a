import './fuzz.test.ts';
