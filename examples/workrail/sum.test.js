const { test } = require('node:test');
const assert = require('node:assert');
const { sum } = require('./sum.js');

test('adds numbers', () => assert.equal(sum(['1', '2']), 3));
test('nothing adds up to 0', () => assert.equal(sum([]), 0));
