import { expect, test } from 'vitest'
import { needsTerminal } from '../../../src/platform/shell/needs-terminal.ts'

test.each<[line: string, name: string | null]>([
  ['vim', 'vim'],
  ['vim notes.txt', 'vim'],
  ['/usr/bin/vim notes.txt', 'vim'],
  ['EDITOR=x LANG=C nano a', 'nano'],
  ['env A=b less a', 'less'],
  ['cd src && vim a.ts', 'vim'],
  ['git log | less', 'less'],
  ['top; ls', 'top'],
  ['sudo apt update', 'sudo'],
  ['git commit', 'git'],
  ['git commit --amend', 'git'],
  ['git add -p', 'git'],
  ['git rebase -i HEAD~3', 'git'],
  ['python3', 'python3'],
  ['ls', null],
  ['', null],
  ['less a | grep b', null],
  ['vim -es a <script', null],
  ['vim &', null],
  ['echo "a | vim b"', null],
  ["echo 'x; top'", null],
  ['echo a\\|vim', null],
  ['grep vim notes.txt', null],
  ['python3 test.py', null],
  ['node -e 1', null],
  ['git commit -m "a b"', null],
  ['git commit -am x', null],
  ['git commit --amend --no-edit', null],
  ['git add .', null],
  ['git status', null],
  ['make 2>&1 | tail', null],
])('%s needs the terminal for %s', (line, name) => {
  expect(needsTerminal(line)).toBe(name)
})
