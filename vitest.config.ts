import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { fastFolder } from './test/fast-folder.ts';
import { testReport } from './test/test-report.ts';

export default defineConfig({
  test: {
    testTimeout: 60_000,
    // One more than there are cores: many tests wait, for a time-out or for a process.
    maxWorkers: availableParallelism() + 1,
    hookTimeout: 120_000,
    // The machines of CI are busy: what fails there for want of time is tried once more. A defect fails twice.
    retry: process.env.CI ? 1 : 0,
    // Files share their worker: to load the modules anew for each of them took a hundred seconds of processor time in all.
    // CI keeps them apart, so that no file can come to depend on what another has left behind.
    isolate: Boolean(process.env.CI),
    env: { TMPDIR: fastFolder() },
    // A pass of one test must not depend on another having run before it.
    sequence: { hooks: 'stack' },
    reporters: process.env.LOCKSTEP_TEST_REPORT
      ? ['default', testReport(process.env.LOCKSTEP_TEST_REPORT)]
      : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'src',
          // Of e2e/ what needs no client.
          include: ['src/**/*.test.ts', 'ui/**/*.test.ts', 'e2e/{model-server,support}/**/*.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        // These start processes of their own: they come after the others and have the machine to themselves.
        test: {
          name: 'whole',
          include: ['test/**/*.test.ts'],
          globalSetup: ['test/global-setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.contract.ts', 'src/**/fixtures/**'],
      reporter: ['text-summary', 'json-summary', 'html'],
      thresholds: {
        'src/source/**': { lines: 90 },
        'src/dialects/**': { lines: 90 },
        'src/compile/**': { lines: 90 },
        'src/engine/**': { lines: 90 },
        // What watches git and the tests of a run is mostly played in processes of its own, which are not counted.
        'src/runtime/**': { lines: 86 },
      },
    },
  },
});
