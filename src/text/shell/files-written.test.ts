import { expect, it } from 'vitest';
import { filesWritten, foldersVisited } from './files-written.ts';

it.each<[line: string, files: string[]]>([
  ['echo a > .github/ci.yml', ['.github/ci.yml']],
  ['echo a >> "b c" 2>/dev/null 2>&1', ['b c']],
  ['cd .git && echo x >config', ['.git/config']],
  ['cd .git; echo x >config', ['.git/config', 'config']],
  ['cd a && cd b && echo x > c', ['a/b/c']],
  ['(cd a && ls); echo x > c', ['c']],
  ['env -C .git tee config < x', ['.git/config']],
  ['echo x > .git/hooks/a; eval "$(ssh-agent -s)"', ['.git/hooks/a']],
  ['eval "$y"; bash -c "echo x > .git/config"', ['.git/config']],
  ['echo x > .git/config; echo $"a"', ['.git/config']],
  ['echo x > "$PWD/.github/a"', ['./.github/a']],
  ['echo x > $(pwd)/.github/a', ['./.github/a']],
  ['echo x > ~/a; echo x > $HOME/b', ['~/a', '~/b']],
  ['cd "$(git rev-parse --git-dir)" && echo x > config', ['.git/config']],
  ["for f in .github/a .github/b; do sed -i 's/a/b/' $f; done", ['.github/a', '.github/b']],
  ["sed -i 's/a/b/' .github/*.yml", ['.github + [!.]*.yml']],
  ['rm -rf .github/*', ['.github + [!.]*']],
  ['rm -f .g*', ['. + .g*']],
  ['curl -fsSLo .github/x URL', ['.github/x']],
  ['wget -qO .github/x URL', ['.github/x']],
  ['curl --output-dir .github -O URL', ['.github + [!.]*']],
  ['jq . a | sponge .mcp.json', ['.mcp.json']],
  ["yq -i '.a=1' .github/ci.yml", ['.github/ci.yml']],
  ['git config -f .mcp.json a.b c', ['.mcp.json']],
  ['git diff --output=.git/config', ['.git/config']],
  ['chmod +x .git/hooks/a', ['.git/hooks/a']],
  ['truncate -s 0 a.log', ['a.log']],
  ['echo x | sudo tee -a .git/config', ['.git/config']],
  ['cp evil .git/hooks/pre-commit', ['.git/hooks/pre-commit', '.git/hooks/pre-commit/evil']],
  ['mv a b .claude/', ['.claude/', '.claude/a', '.claude/b', 'a', 'b']],
  ['cp -t .git a', ['.git', '.git/a']],
  ['dd if=a of=.git/config', ['.git/config']],
  ["sed -i 's/a/b/' .git/config", ['.git/config']],
  ["perl -pi -e 's/a/b/' a.txt", ['a.txt']],
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
])('SEC-SHELL-FILES: %j writes %j', (line, files) => {
  const shown = filesWritten(line).map(({ file, glob }) => (glob === undefined ? file : `${file} + ${glob}`));
  expect(shown).toEqual(files);
});

it.each<[line: string, folders: string[]]>([
  ['cd a && cd b && ls', ['a', 'a/b']],
  ['ls', []],
])('%j goes to %j', (line, folders) => {
  expect(foldersVisited(line)).toEqual(folders);
});
