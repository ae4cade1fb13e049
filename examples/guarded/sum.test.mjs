import assert from 'node:assert/strict';
import { sum } from './sum.mjs';

assert.equal(sum([1, 2, 3]), 6, 'sum([1, 2, 3]) is 6');
console.log('sum adds up');
