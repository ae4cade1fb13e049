// clients: those that every scenario is played with, in the order of the table.

import { claudeCli, claudeSdk } from './clients/claude.ts';
import type { Client } from './clients/client.ts';
import { codex } from './clients/codex.ts';
import { gemini } from './clients/gemini.ts';

export const clients: Client[] = [claudeSdk, claudeCli, codex, gemini];
