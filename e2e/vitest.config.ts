import { defineConfig } from 'vitest/config';
import { report } from './support/report.ts';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['page/**/*.test.ts', 'scenarios/**/*.test.ts'],
    // Gemini takes seconds to start where others want the processor too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // Clients are heavy, and mostly wait.
    maxWorkers: 3,
    reporters: ['default', ...report()],
  },
});
