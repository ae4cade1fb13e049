// write-pieces: a long text to a stream, in few writes and never as one text.

const BATCH = 2 ** 16;

export function writePieces(stream: Pick<NodeJS.WriteStream, 'write'>, pieces: Iterable<string>): void {
  let batch: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    batch.push(piece);
    length += piece.length;
    if (length < BATCH) continue;
    stream.write(batch.join(''));
    batch = [];
    length = 0;
  }
  if (length > 0) stream.write(batch.join(''));
}
