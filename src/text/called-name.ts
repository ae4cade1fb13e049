// called-name: what an expression says that its value is called: `called(x, "${context.y}")`.

export function calledName(cel: string): string | undefined {
  const written = /^called\(.*, ("(?:[^"\\]|\\.)*")\)$/s.exec(cel.trim())?.[1];
  return written === undefined ? undefined : (JSON.parse(written) as string);
}
