// reports: what the last runs of the tests said. `npm test` leaves one report, `npm run e2e` (the real clients) another;
// whoever judges them reads both as one.

import { existsSync, readFileSync, rmSync } from 'node:fs';

export const testReport = '.test-report.json';
export const clientReport = '.test-report.e2e.json';

/** A whole run of the tests makes both worthless: the clients were played with another build. */
export function forgetReports() {
  for (const file of [testReport, clientReport]) rmSync(file, { force: true });
}

/** `clients`: whether the scenarios with the real clients are among the tests. */
export function readReports() {
  const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  const [tests, clients] = [read(testReport), read(clientReport)];
  return {
    tests: [...(tests?.tests ?? []), ...(clients?.tests ?? [])],
    errors: [...(tests?.errors ?? []), ...(clients?.errors ?? [])],
    clients: clients !== undefined,
    missing: [...(tests ? [] : ['npm test']), ...(clients ? [] : ['npm run e2e'])],
  };
}
