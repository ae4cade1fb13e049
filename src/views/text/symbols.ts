// symbols: the few marks the displays use, and what stands in for them where only ASCII can be shown.

export interface Symbols {
  done: string;
  failed: string;
  skipped: string;
  running: string;
  waiting: string;
  asking: string;
  pending: string;
  cancelled: string;
  again: string;
  notice: string;
  dot: string;
  arrow: string;
  ellipsis: string;
  branch: string;
  lastBranch: string;
  trunk: string;
  spinner: string[];
}

const UNICODE: Symbols = {
  done: '✓',
  failed: '✗',
  skipped: '↷',
  running: '●',
  waiting: '◌',
  asking: '?',
  pending: '○',
  cancelled: '⊘',
  again: '↺',
  notice: '!',
  dot: '·',
  arrow: '→',
  ellipsis: '…',
  branch: '├─ ',
  lastBranch: '└─ ',
  trunk: '│  ',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII: Symbols = {
  done: '+',
  failed: 'x',
  skipped: '>',
  running: '*',
  waiting: '.',
  asking: '?',
  pending: '-',
  cancelled: '/',
  again: '~',
  notice: '!',
  dot: '-',
  arrow: '->',
  ellipsis: '...',
  branch: '|- ',
  lastBranch: '`- ',
  trunk: '|  ',
  spinner: ['|', '/', '-', '\\'],
};

export function symbols(unicode: boolean): Symbols {
  return unicode ? UNICODE : ASCII;
}
