import { describe } from 'vitest';
import { sessionsContract } from '../../ports/sessions.contract.ts';
import { memorySessions } from './memory-sessions.ts';

describe('memory-sessions', () => {
  sessionsContract(() => {
    const kept = new Map<string, string>();
    return (parts) => memorySessions({ ...parts, kept });
  });
});
