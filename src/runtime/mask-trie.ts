// mask-trie: all spellings of all secrets as one automaton (Aho-Corasick), read one byte at a time.
// Children are kept as sibling lists, not as tables: a secret may be a key of several kilobytes in forty spellings.

export interface SecretTrie {
  /** One byte further. */
  step(state: number, byte: number): number;
  /** Length of the longest spelling that ends in this state; 0: none does. */
  longest(state: number): number;
  /** Whether a spelling begins with this byte. */
  begins(byte: number): boolean;
  /** Whether a spelling holds the one before the other at its beginning: if not, only `next` counts. */
  beginsWith(byte: number, next: number): boolean;
  /** How many of the bytes last read could still be the beginning of a secret. */
  depth(state: number): number;
}

interface Nodes {
  label: Uint8Array;
  firstChild: Int32Array;
  sibling: Int32Array;
  depth: Int32Array;
  /** Where to go on when no child fits. */
  fallback: Int32Array;
  /** Length of the longest spelling that ends here; 0: none does. */
  longest: Int32Array;
  count: number;
}

const ROOT = 0;

export function buildTrie(spellings: readonly Uint8Array[]): SecretTrie {
  const nodes = emptyNodes(1 + spellings.reduce((sum, spelling) => sum + spelling.length, 0));
  for (const spelling of spellings) insert(nodes, spelling);
  link(nodes);
  const fromRoot = new Int32Array(256);
  for (let child = nodes.firstChild[ROOT] as number; child !== 0; child = nodes.sibling[child] as number) {
    fromRoot[nodes.label[child] as number] = child;
  }
  const { longest, fallback } = nodes;

  return {
    depth: (state) => nodes.depth[state] as number,
    begins: (byte) => fromRoot[byte] !== ROOT,
    beginsWith: (byte, next) => {
      const first = fromRoot[byte] as number;
      return first !== ROOT && (longest[first] !== 0 || childOf(nodes, first, next) !== ROOT);
    },
    longest: (state) => longest[state] as number,
    step(start, byte) {
      let state = start;
      while (state !== ROOT) {
        const next = childOf(nodes, state, byte);
        if (next !== ROOT) return next;
        state = fallback[state] as number;
      }
      return fromRoot[byte] as number;
    },
  };
}

function emptyNodes(size: number): Nodes {
  return {
    label: new Uint8Array(size),
    firstChild: new Int32Array(size),
    sibling: new Int32Array(size),
    depth: new Int32Array(size),
    fallback: new Int32Array(size),
    longest: new Int32Array(size),
    count: 1,
  };
}

function childOf(nodes: Nodes, node: number, byte: number): number {
  let child = nodes.firstChild[node] as number;
  while (child !== 0 && nodes.label[child] !== byte) child = nodes.sibling[child] as number;
  return child;
}

function insert(nodes: Nodes, spelling: Uint8Array): void {
  let node = ROOT;
  for (const byte of spelling) {
    let child = childOf(nodes, node, byte);
    if (child === 0) {
      child = nodes.count++;
      nodes.label[child] = byte;
      nodes.depth[child] = (nodes.depth[node] as number) + 1;
      nodes.sibling[child] = nodes.firstChild[node] as number;
      nodes.firstChild[node] = child;
    }
    node = child;
  }
  nodes.longest[node] = spelling.length;
}

/** Breadth first, so that a node's fallback, which is shallower, is complete before the node is. */
function link(nodes: Nodes): void {
  const queue = new Int32Array(nodes.count);
  let tail = 1;
  for (let head = 0; head < tail; head++) {
    const node = queue[head] as number;
    for (let child = nodes.firstChild[node] as number; child !== 0; child = nodes.sibling[child] as number) {
      queue[tail++] = child;
      if (node !== ROOT) nodes.fallback[child] = fallbackOf(nodes, node, nodes.label[child] as number);
      if (nodes.longest[child] === 0) {
        nodes.longest[child] = nodes.longest[nodes.fallback[child] as number] as number;
      }
    }
  }
}

function fallbackOf(nodes: Nodes, parent: number, byte: number): number {
  let node = parent;
  while (node !== ROOT) {
    node = nodes.fallback[node] as number;
    const next = childOf(nodes, node, byte);
    if (next !== 0) return next;
  }
  return ROOT;
}
