'use strict';
// Jest transformer: Node's own type stripping. Positions are kept, so failures need no source map.
const { stripTypeScriptTypes } = require('node:module');
const { createHash } = require('node:crypto');

module.exports = {
  canInstrument: false,
  getCacheKey: (source, file) =>
    createHash('sha1').update(process.version).update('\0').update(file).update('\0').update(source).digest('hex'),
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
};
