// rust-tests: unit tests of Rust live beside what they test. What is base's of them is put into the new file.

/** The new source, with the test modules of base instead of its own. */
export function withTestsOf(base: string, now: string): string {
  const { modules } = testModules(base);
  const { rest } = testModules(now);
  return modules.length === 0 ? now : `${rest}\n${modules.join('\n\n')}\n`;
}

function testModules(text: string): { modules: string[]; rest: string } {
  const modules: string[] = [];
  let rest = '';
  let at = 0;
  const start = /#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{/g;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const end = closing(text, found.index + found[0].length);
    modules.push(text.slice(found.index, end));
    rest += text.slice(at, found.index);
    at = end;
    start.lastIndex = end;
  }
  return { modules, rest: rest + text.slice(at) };
}

/** Behind the brace that closes what was opened just before `from`. Braces in texts, characters and comments do not count. */
function closing(text: string, from: number): number {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|r(#*)"[\s\S]*?"\1|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'|[{}]/g;
  token.lastIndex = from;
  let depth = 1;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    if (found[0] === '{') depth += 1;
    else if (found[0] === '}') depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
  return text.length;
}
