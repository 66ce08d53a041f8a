import './cli-listen.test.ts';
