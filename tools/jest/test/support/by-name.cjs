'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class ByName extends Sequencer {
  sort(tests) {
    return tests.toSorted((one, other) => one.path.localeCompare(other.path));
  }
};
