'use strict';
// Prints the closing line 'N passed, N failed' that a reader of CI logs relies on.
module.exports = class PlainReporter {
  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    process.stdout.write(`${results.numPassedTests} passed, ${failed} failed\n`);
  }
};
