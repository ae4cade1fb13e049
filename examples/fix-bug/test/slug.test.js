import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('joins words with hyphens', () => {
  assert.equal(slug('Two words'), 'two-words');
  assert.equal(slug('Now three words'), 'now-three-words');
});

test('leaves out what is neither letter nor digit', () => {
  assert.equal(slug('Hello, World!'), 'hello-world');
});
