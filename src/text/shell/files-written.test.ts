import { expect, it } from 'vitest';
import { filesWritten } from './files-written.ts';

it.each<[line: string, files: string[]]>([
  ['echo a > .github/ci.yml', ['.github/ci.yml']],
  ['echo a >> "b c" 2>/dev/null 2>&1', ['b c', '/dev/null']],
  ['cd .git && echo x >config', ['config', '.git/config']],
  ['echo x | sudo tee -a .git/config', ['.git/config']],
  ['cp evil .git/hooks/pre-commit', ['.git/hooks/pre-commit', '.git/hooks/pre-commit/evil']],
  ['mv a b .claude/', ['.claude/', '.claude/a', '.claude/b', 'a', 'b']],
  ['cp -t .git a', ['.git', '.git/a']],
  ['dd if=a of=.git/config', ['.git/config']],
  ["sed -i 's/a/b/' .git/config", ['s/a/b/', '.git/config']],
  ['bash -c "echo x > .git/config"', ['.git/config']],
  ['x=$(echo a > f)', ['f']],
  ['rm -rf .git', ['.git']],
  ['{ echo a; } > .git/config', ['.git/config']],
  ['for i in 1; do echo $i; done >> f', ['f']],
  ['f=.git/config; echo x > $f', ['.git/config']],
  ['curl -o.git/config url', ['.git/config']],
  ['cp --target-directory=.git a', ['.git', '.git/a']],
  ['cat a < b', []],
  ['git commit -m "a > b"', []],
  ['echo a > "$f"', []],
])('%j writes %j', (line, files) => {
  expect(filesWritten(line)).toEqual(files);
});
