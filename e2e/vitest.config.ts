import { defineConfig } from 'vitest/config';
import { report } from './support/report.ts';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['scenarios/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Clients are heavy, and mostly wait.
    maxWorkers: 3,
    reporters: ['default', ...report()],
  },
});
