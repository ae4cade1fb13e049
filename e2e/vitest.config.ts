import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    exclude: ['node_modules'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Clients are heavy, and mostly wait.
    maxWorkers: 3,
  },
});
