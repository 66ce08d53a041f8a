'use strict';
// Prints 'N passed, N failed' as the very last line, where a reader of CI logs looks for it.
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.once('exit', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`));
  }
};
