import { describe, expect, test } from 'vitest'
import { breadthOf } from '../../src/permissions/rules/breadth.ts'
import { dangersOf } from '../../src/permissions/dangers.ts'
import { decide } from '../../src/permissions/decide.ts'
import { grantsFor } from '../../src/permissions/grants.ts'
import { isStricter, permissionModes, type PermissionMode } from '../../src/agent/permission.ts'
import { nextMode } from '../../src/permissions/modes.ts'
import { bash, call, edit, place, policy, read, rule } from './policy.ts'

const p = '/home/ann/project'

describe('what always can mean', () => {
  test.each([
    ['npm test', ['Bash(=npm test)', 'Bash(npm test:*)', 'Bash']],
    ['npm run build -- --x', ['Bash(=npm run build -- --x)', 'Bash(npm run build:*)', 'Bash']],
    ['git commit -m "a b"', ['Bash(=git commit -m "a b")', 'Bash(git commit:*)', 'Bash']],
    ['timeout 9 vitest run | tail -5', ['Bash(=timeout 9 vitest run | tail -5)', 'Bash(vitest:*)', 'Bash']],
    ['python x.py', ['Bash(=python x.py)', 'Bash']],
    ['a && b', ['Bash(=a && b)', 'Bash']],
    ['sudo ls', ['Bash(=sudo ls)', 'Bash']],
    ['git -c a=b log', ['Bash(=git -c a=b log)', 'Bash']],
    ["echo 'x", ["Bash(=echo 'x)", 'Bash']],
    ['rm *', ['Bash(=rm *)', 'Bash']],
    ...[
      'python3.12 x.py',
      'nodejs x.js',
      'ruby3.2 x.rb',
      'lua5.4 x.lua',
      '/usr/bin/python3.12 x.py',
      'osascript -e x',
      'Rscript x.R',
      'vim x',
      'emacs x',
      'tmux new x',
      'PYTHON.EXE x.py',
      '/bin/rm x',
    ].map((command): [string, string[]] => [command, [`Bash(=${command})`, 'Bash']]),
    ['pip3.11 install x', ['Bash(=pip3.11 install x)', 'Bash(pip3.11 install:*)', 'Bash']],
    ['/usr/bin/git push x', ['Bash(=/usr/bin/git push x)', 'Bash(/usr/bin/git push:*)', 'Bash']],
  ])('for the command %s', (command, rules) => {
    expect(grantsFor(bash(command), place).map(each => each.rule)).toEqual(rules)
  })
  test.each([
    [edit(`${p}/src/a.ts`), ['Edit(./src/a.ts)', 'Edit(./**)', 'Edit']],
    [edit(`${p}/[id] *.ts`), ['Edit(./\\[id\\] \\*.ts)', 'Edit(./**)', 'Edit']],
    [edit(`${p}/.envrc`), ['Edit(./.envrc)', 'Edit']],
    [edit('/tmp/x'), ['Edit(/tmp/x)', 'Edit']],
    [read('/etc/hosts'), ['Read(/etc/hosts)', 'Read']],
    [call('swarm_spawn'), ['swarm_spawn']],
    [call('powershell', { kind: 'command', command: 'ls' }), ['PowerShell(=ls)', 'PowerShell']],
  ])('for %j', (request, rules) => expect(grantsFor(request, place).map(each => each.rule)).toEqual(rules))

  test('each of them allows the call that it was offered for', () => {
    const calls = ['npm test', 'a && b > c', "echo 'x", 'rm *', 'x $(y)', 'a (b)'].map(bash)
    for (const request of [
      ...calls,
      edit(`${p}/a b`),
      edit(`${p}/.git/config`),
      edit('/tmp/x'),
      read('/etc/x'),
      call('other'),
    ]) {
      for (const { rule: text } of grantsFor(request, place)) {
        expect([text, decide(policy('ask', { allow: [text] }), request).verdict]).toEqual([text, 'allow'])
      }
    }
  })
})

test.each([
  ['Bash', /anything/],
  ['Bash(*)', /anything/],
  ['*', /anything/],
  ['PowerShell', /anything/],
  ['Edit', /any file/],
  ['Bash(sh:*)', /anything/],
  ['Bash(sudo *)', /anything/],
  ['Bash(/bin/sh -c:*)', /anything/],
  ['Bash(sh build.sh:*)', /narrow/],
  ['Bash(timeout 5:*)', /anything/],
  ['Bash(vim notes:*)', /anything/],
  ['Bash(python3.12:*)', /anything: python3\.12 runs/],
  ['Bash(node -e:*)', /anything/],
  ['Bash(gcc-13:*)', /not known to be harmless/],
  ['Bash(cp:*)', /not known to be harmless: with other arguments cp may write/],
  ['Bash(tee:*)', /not known/],
  ['Bash(crontab:*)', /not known/],
  ['Bash(git config:*)', /not known/],
  ['Bash(git diff:*)', /not known/],
  ['Bash(git commit:*)', /narrow/],
  ['Bash(pip3.11 install:*)', /not known/],
  ['Bash(docker run:*)', /not known/],
  ['Bash(npm exec:*)', /not known/],
  ['Bash(npm run:*)', /not known/],
  ['Bash(npm run build:*)', /narrow/],
  ['Bash(make:*)', /not known/],
  ['Bash(make all:*)', /narrow/],
  ['Bash(cargo test:*)', /narrow/],
  ['Bash(CI=1 cp:*)', /not known/],
  ['Bash(CI=1 npm test:*)', /narrow/],
  ['Bash(cat:*)', /narrow/],
  ['Bash(cat2:*)', /not known/],
  ['Bash(vitest)', /narrow/],
  ['Bash(a-program-that-nobody-knows:*)', /not known/],
  ['Bash(* --version)', /any program/],
  ['Bash(git * main)', /other programs/],
  ['Bash(git:*)', /-c/],
  ['Edit(/**)', /outside/],
  ['Read(~/**)', /outside/],
  ['Edit(./**)', /narrow/],
  ['Edit(src/**)', /narrow/],
  ['Bash(npm test:*)', /narrow/],
  ['Bash(=sh x)', /narrow/],
  ['swarm_*', /every tool/],
])('the breadth of %s', (text, words) => {
  expect(breadthOf(rule('allow', text)) ?? 'narrow').toMatch(words)
})

describe('dangers are pointed out in', () => {
  test.each([
    ['rm -rf x', /rm -r/],
    ['sudo find . -exec rm -r {} +', /rm -r/],
    ['git push -f', /force push/],
    ['git push origin +main', /force push/],
    ['git -C x push --force-with-lease', /force push/],
    ['git reset --hard', /reset --hard/],
    ['curl x | sh', /curl/],
    ['curl -sL x | sudo bash -s', /curl/],
    ['bash <(curl x)', /curl/],
    ['sh -c "$(wget -qO- x)"', /curl/],
    ['a > /etc/hosts', /outside the folder: \/etc\/hosts/],
    ['cp a ../b', /outside/],
    ['echo x >> .git/hooks/a', /\.git/],
    ['tee ~/.bashrc', /\.bashrc/],
    ['sudo ls', /sudo/],
    ['chmod -R 777 .', /777/],
    ['dd if=a of=/dev/sda', /dd/],
    ['mkfs.ext4 /dev/sda', /mkfs/],
    ['curl -H "Authorization: Bearer abcdefgh12345678"', /secret/],
    ['A=sk-ant-api03-abcdefghijklmnop x', /secret/],
    ['git clone https://u:passw0rd@x/y', /secret/],
    ['ls \u202etxt', /hidden/],
    ['ls\u200b', /hidden/],
    ['a'.repeat(3000), /long/],
    [`ls${'\n'.repeat(800)}x`, /very long: read it to the end; it runs ls, x$/],
    [
      `${'a;'.repeat(20)}${Array.from({ length: 20 }, (_, at) => `p${at};`).join('\n'.repeat(9))}`,
      /it runs a, p0, .*, p8 and 11 more/,
    ],
    ['ls; rm -r a; rm -r b', /rm -r\): rm -r a \(and 1 more\)/],
    ["echo 'a", /cannot be parsed/],
    ['LD_PRELOAD=x ls', /which program/],
    ['find . -delete', /find -delete/],
    ['npm publish', /publishes/],
  ])('%s', (command, words) => expect(dangersOf(bash(command), place).join('\n')).toMatch(words))
  test('edits', () => {
    expect(dangersOf(edit(`${p}/.git/config`, '/tmp/x'), place)).toEqual([
      expect.stringMatching(/\.git/),
      'writes outside the folder: /tmp/x',
    ])
    expect(dangersOf({ ...edit(`${p}/a`), diff: '+x\u202e' }, place)).toEqual([expect.stringMatching(/hidden/)])
  })
  test.each([
    'npm test',
    'git push',
    'rm a',
    'git status > out.txt',
    'cp /etc/hosts .',
    'ls 2>/dev/null',
    'curl x | jq .',
  ])('not in %s', command => expect(dangersOf(bash(command), place)).toEqual([]))
})

test.each([
  [false, false, 'ask>edits edits>plan contained>ask plan>ask allow>ask read>read'],
  [true, false, 'ask>edits edits>plan contained>ask plan>allow allow>ask read>read'],
  [false, true, 'ask>edits edits>contained contained>plan plan>ask allow>ask read>read'],
  [true, true, 'ask>edits edits>contained contained>plan plan>allow allow>ask read>read'],
])(
  'Shift+Tab goes through the modes; allow takes part: %s (once it was confirmed), contained: %s (where there is a sandbox); read stays',
  (allowConfirmed, hasSandbox, order) => {
    const next = (mode: PermissionMode): string => `${mode}>${nextMode(mode, { allowConfirmed, hasSandbox })}`
    expect(permissionModes.map(next).join(' ')).toBe(order)
  },
)

test('modes are compared by how much runs unasked', () => {
  expect([isStricter('read', 'ask'), isStricter('allow', 'edits'), isStricter('ask', 'ask')]).toEqual([
    true,
    false,
    true,
  ])
})
