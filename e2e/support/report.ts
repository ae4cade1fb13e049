// report: prints the table when all scenarios have been played, and keeps the record for the ledger.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter } from 'vitest/node';
import { recordsOf, testReport } from '../../test/test-report.ts';
import { installed } from './clients/installed.ts';
import { clients } from './clients.ts';
import { resultsTable } from './results-table.ts';

const PACKAGES: Record<string, string> = {
  'claude-sdk': '@anthropic-ai/claude-agent-sdk',
  'claude-cli': '@anthropic-ai/claude-code',
  codex: '@openai/codex',
  gemini: '@google/gemini-cli',
};

export function report(): Reporter[] {
  const path = process.env.LOCKSTEP_TEST_REPORT;
  const network =
    process.env.LOCKSTEP_E2E_NETWORK ?? 'not cut off from the rest: started without scripts/e2e.js';
  const table: Reporter = {
    onTestRunEnd(modules) {
      const { tests } = recordsOf(modules, []);
      console.log(`\n${resultsTable(tests, columns(), `Real clients (network: ${network})`)}\n`);
    },
  };
  return path === undefined ? [table] : [table, testReport(path)];
}

function columns(): Record<string, string> {
  return Object.fromEntries(
    clients.map(({ name }) => {
      const manifest = join(installed, PACKAGES[name] as string, 'package.json');
      return [name, `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`];
    }),
  );
}
