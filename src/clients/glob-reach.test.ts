import { expect, it } from 'vitest';
import { globReach } from './glob-reach.ts';

it.each<[pattern: string, folder: string | undefined, reached: string[] | undefined]>([
  ['src/a.ts', undefined, ['src/a.ts']],
  ['src/*.ts', undefined, ['src + *.ts']],
  ['**/*.ts', undefined, ['. + **/*.ts']],
  ['**/*.ts', 'src', ['src + **/*.ts']],
  ['src/{a.ts,../secrets/key}', undefined, ['src/a.ts', 'src/../secrets/key']],
  ['{..,a}/secret/*', 'src', ['src/../secret + *', 'src/a/secret + *']],
  ['.{.,a}/secret/*', 'src', ['src/../secret + *', 'src/.a/secret + *']],
  ['{/etc,a}/*', 'src', ['/etc + *', 'src/a + *']],
  ['/*', 'src', ['/ + *']],
  ['~/x/*', 'src', ['~/x + *']],
  ['\\.\\./secret/*', 'src', ['src/../secret + *']],
  ['secre[t]/key', undefined, ['. + secre?/key']],
  ['[[:alpha:]]x', undefined, ['. + ?x']],
  ['@(a|b).ts', undefined, ['. + *.ts']],
  ['{1..3}.ts', undefined, ['. + *.ts']],
  ['!*.md', 'src', ['src + **']],
  ['a*/../x', undefined, undefined],
  ['a*/\\.\\./x', undefined, undefined],
  ['@(../secret|x)', undefined, undefined],
  ['+(@(a|b)|c', undefined, undefined],
  ['\\{a,b}', undefined, undefined],
  ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', undefined, undefined],
])('SEC-CALLS-GLOB: %j in %j reaches %j', (pattern, folder, reached) => {
  expect(globReach(pattern, folder)?.map(({ file, glob }) => (glob ? `${file} + ${glob}` : file))).toEqual(
    reached,
  );
});
