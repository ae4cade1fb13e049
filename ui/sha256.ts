// sha256: of a text in UTF-8, in hex digits, at once: what the browser offers makes one wait for every line of a journal.

const K = new Int32Array(64);
const START = new Int32Array(8);
fillConstants();

/** The first bits of the fractions of roots of the first primes, as the standard has it. */
function fillConstants(): void {
  const fraction = (root: number): number => ((root - Math.floor(root)) * 0x100000000) | 0;
  let found = 0;
  for (let candidate = 2; found < 64; candidate += 1) {
    let isPrime = true;
    for (let factor = 2; factor * factor <= candidate; factor += 1)
      if (candidate % factor === 0) isPrime = false;
    if (!isPrime) continue;
    K[found] = fraction(Math.cbrt(candidate));
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    found += 1;
  }
}

const encoder = new TextEncoder();
const words = new Int32Array(64);

export function sha256(text: string): string {
  const bytes = encoder.encode(text);
  const blocks = ((bytes.length + 8) >>> 6) + 1;
  const padded = new Uint8Array(blocks * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = START.slice();
  for (let block = 0; block < padded.length; block += 64) compress(state, view, block);
  let hex = '';
  for (const word of state) hex += (word >>> 0).toString(16).padStart(8, '0');
  return hex;
}

function compress(state: Int32Array, view: DataView, block: number): void {
  const w = words;
  for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(block + i * 4);
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15] as number;
    const y = w[i - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = ((w[i - 16] as number) + s0 + (w[i - 7] as number) + s1) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (K[i] as number) + (w[i] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}
