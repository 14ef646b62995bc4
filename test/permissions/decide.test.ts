import { describe, expect, test } from 'vitest'
import { permissionModes, type PermissionMode } from '../../src/agent/permission.ts'
import { decide } from '../../src/permissions/decide.ts'
import type { Place } from '../../src/permissions/policy.ts'
import { bash, call, edit, policy, read, rule } from './policy.ts'

const p = '/home/ann/project'
const isConfigured = (name: string): boolean => ['CDPATH', 'RIPGREP_CONFIG_PATH', 'GREP_OPTIONS'].includes(name)
const verdicts = (request: Parameters<typeof decide>[1]): string =>
  permissionModes.map(mode => decide(policy(mode), request).verdict).join(' ')

describe('the mode decides', () => {
  // In the order ask, edits, contained, plan, allow, read.
  test.each([
    ['a file in the folder is read', read(`${p}/a.ts`), 'allow allow allow allow allow allow'],
    ['the folder is searched', read(), 'allow allow allow allow allow allow'],
    ['a file outside is read', read('/etc/passwd'), 'ask ask ask ask allow ask'],
    ['a link that leads out is read', read(`${p}/link-out/x`), 'ask ask ask ask allow ask'],
    ['it is not known what is read', call('read', { kind: 'read' }), 'ask ask ask ask allow ask'],
    ['a file in the folder is edited', edit(`${p}/a.ts`), 'ask allow allow refuse allow refuse'],
    ['two files are edited, one outside', edit(`${p}/a.ts`, '/tmp/b'), 'ask ask ask refuse allow refuse'],
    ['a link that leads out is edited', edit(`${p}/link-out/x`), 'ask ask ask refuse allow refuse'],
    ['a file is read up from a link', read(`${p}/link-out/../x`), 'ask ask ask ask allow ask'],
    ["a guard's pipe is edited", edit(`${p}/zotui-guard-1-a/gate-1`), 'ask ask ask refuse allow refuse'],
    ['a hook of git is edited', edit(`${p}/.git/hooks/pre-commit`), 'ask ask ask refuse allow refuse'],
    ['a task of an editor is edited', edit(`${p}/sub/.vscode/tasks.json`), 'ask ask ask refuse allow refuse'],
    ['a dotfile that runs is edited', edit(`${p}/.ENVRC`), 'ask ask ask refuse allow refuse'],
    ["zotui's settings are edited", edit('/home/ann/.config/zotui/config.json'), 'ask ask ask refuse allow refuse'],
    ['the project settings of zotui are edited', edit(`${p}/.zotui/config.json`), 'ask ask ask refuse allow refuse'],
    ['it is not known what is edited', call('edit', { kind: 'edit' }), 'ask ask ask refuse allow refuse'],
    ['another tool runs', call('swarm_spawn'), 'ask ask ask refuse allow refuse'],
    ['a command runs', bash('npm test'), 'ask ask allow refuse allow refuse'],
    ['a command only reads', bash('git status'), 'allow allow allow allow allow allow'],
    ['a command cannot be taken apart', bash("echo 'a"), 'ask ask allow refuse allow refuse'],
    ['a command is not known', call('bash', { kind: 'command' }), 'ask ask allow refuse allow refuse'],
    ['a command is empty', bash(''), 'ask ask allow refuse allow refuse'],
    ['PowerShell runs', call('powershell', { kind: 'command', command: 'ls' }), 'ask ask allow refuse allow refuse'],
  ])('%s', (_name, request, wanted) => expect(verdicts(request)).toBe(wanted))

  test.each([
    ['plan', /plan mode/],
    ['read', /read-only/],
  ] as const)('%s mode refuses with words that name it', (mode, words) => {
    for (const request of [bash('npm test'), edit(`${p}/a.ts`), call('swarm_spawn')]) {
      expect(decide(policy(mode), request)).toMatchObject({ verdict: 'refuse', words: expect.stringMatching(words) })
    }
  })
})

test('a worktree in a folder of zotui holds files of the project; what is beside it does not', () => {
  const worktree = '/home/ann/.local/state/zotui/worktrees/project/fix-1'
  const own = ['/home/ann/.local/state/zotui']
  const { place, ...rest } = policy('edits')
  const verdict = (path: string): string =>
    decide({ ...rest, place: { ...place, folder: worktree, own, worktree } }, edit(path)).verdict
  expect(verdict(`${worktree}/src/a.ts`)).toBe('allow')
  for (const path of [`${worktree}.json`, `${worktree}/../fix-2/a.ts`, `${worktree}/.git`, `${own[0]}/trust/project`])
    expect(verdict(path)).toBe('ask')
})

describe('only reading runs unasked', () => {
  test.each([
    'ls',
    'ls -la src',
    'cat src/a.ts',
    'cat ./a b',
    'cat src/../a',
    'head -n 5 a',
    'head -5 a',
    'tail -n5 a',
    'git log --oneline -5',
    'git diff HEAD~1 -- src',
    'git --no-pager diff --stat',
    'git show HEAD:src/a.ts',
    'git status -sb',
    'git --no-optional-locks status',
    'cd src && git status',
    'rg -n "a b" src',
    'grep -rn foo .',
    'wc -l src/*.ts',
    'ls *.md',
    'cat a | grep x | head -3',
    'ls && pwd; git status',
    'find . -name "*.ts" -not -path "./x/*" -type f',
    'cd src && ls',
    'ls 2>/dev/null',
    'ls 2>&1 | wc -l',
    'cat < a',
    'sed -n 1,20p a',
    'echo "a  b"',
    'timeout 5 ls',
    'git stat\\\nus',
    '# look\nls',
    '(ls)',
    '{ ls; }',
    '! ls',
    'if ls; then pwd; fi',
    'for f in a b; do ls; done',
    '"ls" -l',
    'sort a | uniq -c',
    'date +%s',
    'cat /home/ann/project/a',
    'ls ~/project',
    'git blame -L 1,5 a',
    'git log -p -U5 --since yesterday',
    'git diff --unified=3',
    'grep --colour -m 3 x a',
    "cat <<E\nit's ${x} and ${y:-z}\nE",
    "cat <<'E'\n$(rm x)\nE",
    "printf '%s: %d\\n' a 3 b 4",
    'printf -- "%-10s|%5.2f%%\\n" a 1.5',
    'printf done',
    'for file in a b; do ls; done < a',
    'cut -d / -f 1 a',
    'cut -d/ -f1,3- a',
    'cut -dx -f1 a',
    'head -n5 a',
    'head -c1k a',
    'tail -n+5 a',
    'nl -ba a',
    'stat -c%s a',
    'tree -L2 -I x.ts',
    'tree -dL 2',
    'sort -tx -k2n a',
    'rg -tts -gx.md x',
    'git log -Sfoo -n5',
    'git diff HEAD~1 HEAD^',
    'diff a a.ts',
    'diff plain src',
    'ls -R',
    'ls -d s*/',
    'ls src/*',
    'wc -l ./options/*',
    'du -sh *.ts',
    'stat s*/k*/*.pem',
    'find . -type f ! -name "*.ts" -size -5k -printf "%p %l\\n"',
    'find src \\( -name a -o -name b \\) -mtime -1',
    'grep -rn x src',
    'rg x',
  ])('%s', command => expect(decide(policy('ask'), bash(command)).verdict).toBe('allow'))
})

const asks = (deny: string, request: Parameters<typeof decide>[1], mode: PermissionMode = 'ask'): string =>
  decide(policy(mode, { deny: [deny] }), request).verdict
const search = (path: string): Parameters<typeof decide>[1] => call('search', { kind: 'read', paths: [path] })
/** A place in which each folder has 1000 folders. */
const many: Place['list'] = (folder, most) =>
  folder.length > 100 || most < 1000
    ? null
    : Array.from({ length: 1000 }, (_, at) => ({ name: `d${at}`, kind: 'folder' }))

describe('a rule for files holds below a folder that a command or a tool reads', () => {
  test.each([
    ['Read(.env)', 'rg x'],
    ['Read(.env)', 'grep -rn x'],
    ['Read(.env)', 'grep -rn x ./'],
    ['Read(.ENV)', 'egrep --recursive x .'],
    ['Read(.env)', 'cd src; rg x ..'],
    ['Read(*.pem)', 'rg x src'],
    ['Read(src/keys/**)', 'grep -r x src'],
    ['Read(src/keys/**)', 'ls -R'],
    ['Read(src/keys/**)', 'ls src/keys'],
    ['Read(src/keys/**)', 'find . -name x'],
    ['Read(src/keys/**)', 'tree'],
    ['Read(src/keys/**)', 'du -a src'],
    ['Read(src/keys)', 'cd src && ls -R'],
    ['Read(a)', 'diff linked plain'],
    ['Read(/srv/**)', 'diff linked plain'],
    ['Read(/srv/**)', 'grep -R x .'],
    ['Read(.env)', 'find . -exec cat {} +'],
    ['Read(.env)', 'rg -uu --follow x'],
  ])('%s asks at %s', (rule, command) => {
    for (const mode of ['ask', 'edits', 'allow'] as const) expect(asks(rule, bash(command), mode)).toBe('ask')
  })
  test.each([
    ['Read(.env)', 'rg x src'],
    ['Read(.env)', 'ls -R'],
    ['Read(.env)', 'find . -name "*.ts"'],
    ['Read(.env)', 'grep x a'],
    ['Read(~/.ssh/**)', 'rg x'],
    ['Read(/etc/**)', 'grep -r x .'],
    ['Read(src/keys/**)', 'rg x plain'],
    ['Read(src/keys/**)', 'ls src'],
    ['Read(src/keys/**)', 'diff a a.ts'],
    ['Edit(.env)', 'rg x'],
  ])('%s lets %s run', (rule, command) => expect(asks(rule, bash(command))).toBe('allow'))

  test('by another tool, too', () => {
    expect(asks('Read(.env)', search(p))).toBe('ask')
    expect(asks('Read(.env)', read())).toBe('ask')
    expect(asks('Read(.env)', search(`${p}/src`))).toBe('allow')
    expect(asks('Read(/srv/**)', search(`${p}/linked`))).toBe('ask')
    expect(asks('Read(.env)', call('glob', { kind: 'read', paths: [p] }))).toBe('allow')
    expect(asks('Read(src/keys/**)', call('glob', { kind: 'read', paths: [p] }))).toBe('ask')
    expect(decide(policy('allow', { ask: ['Read(.env)'] }), search(p))).toMatchObject({
      verdict: 'ask',
      because: expect.stringMatching(/Read\(\.env\).*it reads \.env/),
    })
  })

  test('asks where the folders are too large to look at, or cannot be listed', () => {
    const { place, ...rest } = policy('ask', { deny: ['Read(*.pem)'] })
    for (const list of [undefined, many])
      for (const command of ['rg x', 'grep -r x src', 'diff plain src'])
        expect(decide({ ...rest, place: { ...place, list } as Place }, bash(command)).verdict).toBe('ask')
  })
})

test('busybox follows links below a folder, also where others do not', () => {
  const { place, ...rest } = policy('ask')
  for (const [isBusybox, verdict] of [
    [true, 'ask'],
    [false, 'allow'],
  ] as const)
    for (const command of ['grep -r x linked', 'find linked'])
      expect(decide({ ...rest, place: { ...place, isOneForMany: () => isBusybox } }, bash(command)).verdict).toBe(
        verdict,
      )
  expect(decide({ ...rest, place: { ...place, isOneForMany: () => true } }, bash('grep -r x plain')).verdict).toBe(
    'allow',
  )
})

test('a program that PATH finds in the project is asked, and one that a variable configures', () => {
  const { place, ...rest } = policy('ask')
  const project = place.folder
  const verdict = (command: string, more: Partial<Place>): string =>
    decide({ ...rest, place: { ...place, ...more } }, bash(command)).verdict
  const isOfProject = (name: string, folder: string): boolean =>
    (name === 'ls' || name === 'grep') && folder === `${project}/src`
  expect(verdict('ls', { isOfProject })).toBe('allow')
  // It is a script that runs grep.
  expect(verdict('cd src && egrep x a', { isOfProject })).toBe('ask')
  for (const command of ['cd src && ls', 'cd src && timeout 5 ls', 'cd src; time -p ls'])
    expect(verdict(command, { isOfProject })).toBe('ask')
  for (const command of ['cd src && ls', 'rg x', 'rg x -- --no-config', 'grep x a', 'egrep -r x'])
    expect(verdict(command, { isSet: isConfigured })).toBe('ask')
  for (const command of ['cd ./src && ls', 'rg --no-config x', 'cat a'])
    expect(verdict(command, { isSet: isConfigured })).toBe('allow')
})

describe('what does more than read is asked', () => {
  test.each([
    'ls > a',
    'ls >> a',
    'ls >| a',
    'ls &> a',
    'ls >& a',
    '> a',
    '(ls) > a',
    '{ ls; } > a',
    'for f in a; do ls; done > a',
    'cat <> a',
    'cat < /etc/passwd',
    'cat /etc/passwd',
    'cat ../x',
    'cat ~/.ssh/id',
    'cat ~root/x',
    'cat link-out/x',
    // Up from where the link leads, not from where it stands.
    'cat link-out/../x',
    'cat src/../link-out/../x',
    'cat < link-out/../x',
    'cd link-out/.. && ls',
    // The file is behind the option's value.
    'rg -ea /etc/passwd',
    'rg -L a .',
    'cat l*',
    'cat $HOME/x',
    'ls ..',
    'ls /',
    'ls ../*',
    'grep x ../y',
    'rg x /etc',
    'git diff /etc/a /etc/b',
    'ls $(rm x)',
    'ls `rm x`',
    'ls "$(rm x)"',
    'cat <(rm x)',
    'ls; rm x',
    'ls && rm x',
    'ls || rm x',
    'ls | sh',
    'ls & rm x',
    'ls\nrm x',
    'cat <<E\n$(rm x)\nE',
    'PATH=/tmp ls',
    'PATH=/tmp; ls',
    'LD_PRELOAD=x ls',
    'env ls',
    'sudo ls',
    'ls | xargs rm',
    'find . -exec rm {} +',
    'find . -delete',
    'find . -fprint x',
    'find -L . -name x',
    'find / -name x',
    'sh -c ls',
    'eval ls',
    'exec ls > x',
    'rg --pre x y',
    'rg -f x',
    'git -c core.pager=x log',
    'git --exec-path=/tmp status',
    'git log --output=x',
    'git diff --ext-diff',
    'git branch x',
    'git branch -D x',
    'git tag x',
    'git remote add x y',
    'git grep -Ox y',
    'git stash',
    'sort -o x y',
    'sort --compress-program=x y',
    'uniq a b',
    'tree -o x',
    'sed -i s/a/b/ x',
    'sed -n "1e rm x" a',
    "sed -n '1w x' a",
    'date -s 1',
    './ls',
    '/tmp/ls',
    'ls() { rm x; }; ls',
    'alias ls=rm\nls x',
    'cd .. && ls',
    'cd x; cat ../y',
    'ls; cd ..; cat x',
    'cd - && ls',
    'cd $x; ls',
    'cd src; cd ..; ls',
    'export PATH=x; ls',
    "$'ls'",
    '$"ls"',
    '$x',
    '((x))',
    '[[ a || b ]]',
    'echo $((a[0]))',
    'for PATH in /tmp; do ls; done',
    // printf writes into a variable; zsh computes with what stands for a number.
    "printf '%n' PATH; cat README",
    "printf '\\045n' PATH",
    "printf '%*d' PATH=0 3",
    "printf '%d' PATH=0",
    "printf '%s %d' a 'a[$(rm x)]'",
    "printf '%2$n' a PATH",
    "printf '%(%s)T' -1",
    'printf -v PATH 0',
    'printf %999999999d 1',
    // zsh sets PATH by these, or runs what is in a value.
    'for path in ./0; do cat README; done',
    'for module_path in ./0; do ls; done',
    'echo <<E\n$x[PATH=0]\nE\ncat README',
    'case $x[PATH=0] in a) ls;; esac',
    'case "$x[PATH=0]" in a) ls;; esac',
    'for f in $x[PATH=0]; do ls; done',
    'for x in "*(e:rm x:)"; do for f in $~x; do ls; done; done',
    'for f in ${(e)x}; do ls; done',
    'for f in ${x::=3}; do ls; done',
    'true {PATH}<README; cat README',
    'ls {PATH}>/dev/null',
    // Words and lines that only some shells take as they are written.
    'cat =ls',
    'echo =ls',
    'cat ^a',
    'cat a~b',
    'cat a#',
    "cat '~/a'",
    'cat \\~/a',
    'cat ~+/a',
    'cat xà/etc/passwd',
    'cd +1; ls',
    'cd =ls; ls',
    '< README',
    'ls **/*.ts',
    'ls .*',
    'nohup ls',
    'builtin echo a',
    'exec ls',
    'busybox ls',
    'test -v a',
    "[ 'a[$(rm x)]' -eq 1 ]",
    'hash -p ./a ls',
    'enable -n echo',
    'type -x a',
    'time -o a ls',
    // uniq writes to its second operand, which an option may be where options come first.
    'uniq a -c',
    'setsid ls',
    'cat <&3',
    'ls >&3',
    'ls 3>&1 1>&2 2>&3',
    // Links below what is named.
    'diff linked plain',
    'diff a linked',
    'diff --color linked/link-out a',
    'ls -LR',
    'ls -L src',
    'ls *',
    'ls link*',
    'ls */*',
    'ls */a',
    'wc -l linked/*',
    'wc -l link-out/*',
    'stat /*',
    'stat ../*',
    'ls src/**',
    'ls src/.*',
    'ls src/[a-z]*',
    'cd options && ls *',
    'cd options; wc -l -- *',
    'grep -R x .',
    'grep --dereference-recursive x .',
    'rg --follow x',
    'tree -l',
    'tree -R -L 1',
    // The rest of a word may be more letters: tree takes a value from the next word, and other systems know no such value.
    'tree -Lo 1 a',
    'tree -Ll 3 src',
    'tree -dPo x a',
    'ls -IL link-out',
    'ls -wL1 src',
    'tail -cf a',
    // The value of an option is a file where options end with the first operand.
    'cut -f 1 a -d /etc/passwd',
    'sort a -k /etc/passwd',
    'rg x src -g /etc/passwd',
    'du -L',
    'find . -follow -name x',
    'find . -newer /etc/passwd',
    'find . -samefile /etc/passwd',
    'find . -name',
    'find . -name a /etc',
    'find . -print /etc',
    'wc --files0-from=a',
    'du --files0-from=a',
    'sort --files0-from=a',
    'sort --random-source=a b',
    'file -f a',
    'file -z a',
    'file -s a',
    'rg --ignore-file a x',
    'grep -f a b',
    'diff -r a b',
    'diff --from-file=/etc/passwd a',
    // A program that knows no value of this option takes the word as a file.
    'ls -w /etc',
    'ls -I /etc',
    'head -n 5 -- a /etc/passwd',
    'ls ${x:=y}',
    'ls ${!x}',
    '{ls,-l}',
    'l? x',
    'coproc ls',
    'function ls { rm; }',
    'ls\u00a0x',
    'ls \u202ex',
    'ls\rrm x',
    'ls \u200b',
    "ls 'a",
    'ls )',
    'if ls',
    'echo $SECRET',
    'printf -v PATH x',
    '. ./a',
    'source a',
    'trap "rm x" EXIT',
    'time -o x ls',
    '<(ls)',
    'a=$(ls)',
    'tail -f x',
    'cat <<$(x)\nx',
    'ls <<< "$(rm x)"',
    'timeout 5 rm x',
    'ls > /dev/tcp/a/80',
    'cat < /dev/tcp/a/80',
    'ls {x}> a',
    'type -a $x',
    'diff -r a b',
    'command rm x',
    'busybox rm x',
    "cat <<E\n${x-'$(rm x)'}\nE",
    "cat <<E\n${x-${y}'$(rm x)'}\nE",
    // The value of these options is never the next word.
    'grep --colour x /etc/passwd',
    'git log --pretty --output=x',
    'git show --abbrev --output=x',
    'git diff --unified --output=x',
    'git log -U --output=x',
    'sort --key --output=x a',
    // A file may be named like an option that writes.
    'tree *',
    'file *',
    `echo ${'$('.repeat(400)}x${')'.repeat(400)}`,
    `${'('.repeat(20_000)}ls`,
  ])('%s', command => expect(decide(policy('ask'), bash(command)).verdict).toBe('ask'))
})

const allowed = (rules: readonly string[], command: string, mode: PermissionMode = 'ask'): boolean =>
  decide(policy(mode, { allow: rules }), bash(command)).verdict === 'allow'

describe('an allow rule for commands', () => {
  test.each([
    ['Bash(npm test)', 'npm test'],
    ['bash(npm test)', 'npm  test'],
    ['Bash(npm test:*)', 'npm test'],
    ['Bash(npm test:*)', 'npm test -- a "b c"'],
    ['Bash(npm test *)', 'npm test x'],
    ['Bash(npm test:*)', 'npm test && ls | head'],
    ['Bash(npm test:*)', 'timeout 60 npm test'],
    ['Bash(npm test:*)', 'n"p"m \'test\''],
    ['Bash(npm test:*)', '(npm test)'],
    ['Bash(npm test:*)', 'cd src && npm test'],
    ['Bash(A=1 npm test:*)', 'A=1 npm test x'],
    ['Bash(=a $(b) > c)', ' a $(b) > c'],
    ['Bash', 'x $(y)'],
    ['Bash(*)', 'x'],
    ['*', 'x'],
    ['Bash(npm run test-*)', 'npm run test-a'],
    ['Bash(npm test:*)', 'npm test $x'],
    ['Bash(xargs npm test:*)', 'ls | xargs npm test'],
    ['Bash(sudo make:*)', 'sudo make x'],
    ['Bash(find . -name x -exec npm test:*)', 'find . -name x -exec npm test ;'],
    ['Bash(npm test:*)', 'npm test 2>&1 > /dev/null'],
    ['Bash(sudo xargs npm test:*)', 'sudo xargs npm test'],
    ['Bash(eval npm test)', 'eval npm test'],
    ["Bash(sh -c 'sudo npm test':*)", "sh -c 'sudo npm test' x"],
    ['Bash(bash build.sh:*)', 'bash build.sh x'],
    ['Bash(bash --version)', 'bash --version'],
    ['Bash(fd:*)', 'fd -Hg -t x -e js'],
  ])('%s allows %s', (text, command) => expect(allowed([text], command)).toBe(true))

  test.each([
    ['Bash(npm test)', 'npm test x'],
    ['Bash(npm test:*)', 'npm testx'],
    ['Bash(npm test:*)', 'npm'],
    ['Bash(npm test:*)', 'npm test; rm x'],
    ['Bash(npm test:*)', 'npm test $(rm x)'],
    ['Bash(npm test:*)', 'npm test > x'],
    ['Bash(npm test:*)', 'A=1 npm test'],
    ['Bash(npm test:*)', './npm test'],
    ['Bash(npm test:*)', 'npm $x'],
    ['Bash(npm test:*)', 'sudo npm test'],
    ['Bash(sudo:*)', 'sudo rm x'],
    ['Bash(xargs:*)', 'xargs rm'],
    ['Bash(find:*)', 'find . -exec rm {} ;'],
    ['Bash(sh -c:*)', "sh -c 'rm x'"],
    ['Bash(git status:*)', 'cd sub && git status -x'],
    ['Bash(git status:*)', 'git -c a=b status'],
    ['Bash(=a b)', 'a  b'],
    ['Bash(=a)', 'a; b'],
    ['Edit', 'a'],
    ['Bash(npm run test-*)', 'npm run x'],
    ['Bash(npm test:*)', 'npm test <(rm x)'],
    ['Bash(npm test:*)', 'npm test\nrm x'],
    ['Bash(npm test:*)', 'PATH=/tmp; npm test'],
    ['Bash(npm test:*)', 'export PATH=/tmp; npm test'],
    ['Bash(npm test:*)', '(npm test) > x'],
    ['Bash(find . -exec grep a:*)', 'find . -exec grep a {} + -exec rm {} +'],
    ['Bash(eval a:*)', "eval a '; rm x'"],
    ['Bash(sudo xargs:*)', 'sudo xargs rm'],
    ['Bash(sudo sh:*)', "sudo sh -c 'rm x'"],
    ['Bash(fd:*)', 'fd -Hx rm'],
    ['Bash(fd:*)', 'fd -xrm'],
    ['Bash(sh:*)', 'echo rm x | sh'],
    ['Bash(bash:*)', "bash <<< 'rm x'"],
    ['Bash(. a:*)', '. <(rm x)'],
  ])('%s does not allow %s', (text, command) => expect(allowed([text], command)).toBe(false))

  test('in a shell in which lines for reading were not tried, nothing is taken for reading, and rules hold as ever', () => {
    expect([inOtherShell('ask', 'cat a'), inOtherShell('ask', 'git status'), inOtherShell('ask', 'rm a')]).toEqual([
      'ask',
      'allow',
      'refuse',
    ])
    expect([inOtherShell('read', 'cat a'), inOtherShell('plan', "echo 'a\\' '; evil #'")]).toEqual(['refuse', 'refuse'])
  })

  test('several rules together allow a line, and are all named', () => {
    const decision = decide(policy('ask', { allow: ['Bash(a:*)', 'Bash(b)'] }), bash('a 1 && b'))
    expect(decision).toMatchObject({ verdict: 'allow', because: expect.stringMatching(/Bash\(a:\*\).*Bash\(b\)/) })
  })
  test('a written file needs a rule of its own, or edits', () => {
    expect(allowed(['Bash(a:*)'], 'a > out.txt')).toBe(false)
    expect(allowed(['Bash(a:*)', 'Edit(*.txt)'], 'a > out.txt')).toBe(true)
    expect(allowed(['Bash(a:*)'], 'a > out.txt', 'edits')).toBe(true)
    for (const target of ['../x', '.envrc', '.git/config', '~/x', '$x', 'link-out/x'])
      expect(allowed(['Bash(a:*)'], `a > ${target}`, 'edits')).toBe(false)
    expect(allowed(['Bash(a:*)'], 'cd src && a > ../../x', 'edits')).toBe(false)
  })
  test.each([
    ['Bash(pushd:*)', 'pushd x; git status'],
    ['Bash(cd:*)', 'builtin cd /x; cat a'],
    ['Bash(cd:*)', 'cd /etc; cat passwd'],
    ['Bash(cd:*)', 'cd src; cd ../..; cat x'],
    ['Bash(cd:*)', 'builtin cd /x; git status'],
    ['Bash(xargs:*)', 'echo rm | xargs -I git git status'],
    ['Bash(xargs:*)', 'echo rm | xargs -0Igit git status'],
  ])('%s and Bash(git status:*) do not allow %s', (text, command) =>
    expect(allowed([text, 'Bash(git status:*)'], command)).toBe(false),
  )
  test.each(['plan', 'read'] as const)('nothing is allowed by it in the mode %s', mode => {
    expect(decide(policy(mode, { allow: ['Bash'] }), bash('npm test')).verdict).toBe('refuse')
  })
})

describe('a deny rule for commands', () => {
  test.each([
    ['Bash(rm:*)', 'rm x'],
    ['Bash(rm:*)', 'ls; rm x'],
    ['Bash(rm:*)', '/bin/rm x'],
    ['Bash(rm:*)', 'r"m" x'],
    ['Bash(rm:*)', 'r\\m x'],
    ['Bash(rm:*)', 'ls $(rm x)'],
    ['Bash(rm:*)', 'A=1 rm x'],
    ['Bash(rm:*)', 'sudo rm x'],
    ['Bash(rm:*)', 'env A=1 rm x'],
    ['Bash(rm:*)', 'xargs rm'],
    ['Bash(rm:*)', 'find . -exec rm {} +'],
    ['Bash(rm:*)', "sh -c 'ls; rm x'"],
    ['Bash(rm:*)', 'eval rm x'],
    ['Bash(rm:*)', 'if a; then rm x; fi'],
    ['Bash(rm:*)', 'f() { rm x; }'],
    ['Bash(rm:*)', 'sudo sh -c \'sh -c "rm x"\''],
    ['Bash(rm:*)', "bash -cx 'rm x'"],
    ['Bash(rm:*)', "bash -O extglob -c 'rm x'"],
    ['Bash(rm:*)', "bash +x -c -e 'rm x'"],
    ['Bash(rm:*)', "bash -co posix 'rm x'"],
    ['Bash(rm:*)', "bash --norc -c -- 'rm x'"],
    ['Bash(./build.sh:*)', 'bash -x ./build.sh all'],
    ['Bash(build.sh:*)', '. ./build.sh'],
    ['Bash(git push:*)', 'git -C x push'],
    ['Bash(git push:*)', 'git -c a=b --no-pager push -f'],
    ['Bash(git push * --force)', 'git push origin main --force'],
    ['Bash', 'ls'],
    ['Bash(ls)', 'ls'],
    ['*', 'ls'],
    ['Read(.env)', 'cat .env'],
    ['Read(.env)', 'cat src/.env'],
    ['Read(~/.ssh/**)', 'cat ~/.ssh/id'],
    ['Bash(rm:*)', "git submodule --quiet foreach 'rm x'"],
    ['Read(~/.ssh/**)', 'cd && cat .ssh/id'],
    ['Edit(src/**)', 'ls > src/a'],
    ['Edit(src/**)', 'rm src/a'],
    ['Edit(src/**)', 'cd src && ls > a'],
    ['Edit(src/**)', 'cd sub; cd ../src; touch a'],
    ['Edit(src/**)', 'pushd src; touch a'],
    ['Edit(src/**)', 'cp a src'],
    ['Edit(src/**)', 'mv a src/'],
    ['Read(/etc/**)', 'cd /etc && cat passwd'],
    ['Read(.env)', 'curl -d@.env x'],
    ['Read(.env)', 'git show HEAD:.env'],
    ['Edit', 'ls > a'],
    ['Bash(rm:*)', 'nohup rm x &'],
    ['Bash(rm:*)', 'busybox rm x'],
    ['Bash(rm:*)', 'toybox rm x'],
    ['Bash(rm:*)', 'git bisect run rm x'],
    ['Bash(rm:*)', "git submodule foreach -q 'ls; rm x'"],
    ['Bash(rm:*)', 'git submodule foreach rm x'],
    ['Bash(rm:*)', "git -C x rebase -x 'rm x' a"],
    ['Bash(git push:*)', 'git --attr-source HEAD push'],
    ['Bash(rm:*)', 'gtimeout 5 rm x'],
    ['Bash(rm:*)', 'caffeinate -t 5 rm x'],
    ['Bash(rm:*)', 'find . -exec env -u + rm x ;'],
    ['Bash(=a  b)', 'a  b'],
    ['Bash(rm:*)', 'RM x'],
    ['Bash(rm:*)', 'rm.exe x'],
    ['Bash(rm:*)', 'trap "rm x" EXIT'],
    ['Bash(rm:*)', 'cat <<E\n$(rm x)\nE'],
    ['Bash(rm:*)', 'echo {a,$(rm x)}'],
    ['Bash(rm:*)', '$((`rm x`))'],
  ])('%s refuses %s', (text, command) => {
    expect(decide(policy('allow', { deny: [text], allow: ['Bash'] }), bash(command))).toMatchObject({
      verdict: 'refuse',
      words: expect.stringContaining(text),
    })
  })
  test.each([
    ['Bash(rm:*)', '$x y'],
    ['Bash(git push:*)', 'git $x'],
    ['Bash(rm:*)', "echo 'a"],
    ['Bash(rm:*)', 'sh -c "$x"'],
    ['Bash(rm:*)', 'su -c x'],
    ['Bash(rm:*)', 'echo rm x | sh'],
    ['Bash(rm:*)', 'bash -s a < x'],
    ['Bash(rm:*)', "bash /dev/stdin <<< 'rm x'"],
    ['Bash(rm:*)', ". /dev/stdin <<< 'rm x'"],
    ['Bash(rm:*)', 'echo rm | xargs -I{} {} x'],
    ['Bash(rm:*)', "echo rm | xargs -I % sh -c '%'"],
    ['Bash(git push:*)', 'echo push | xargs -I% git %'],
    ['Bash(rm:*)', "y='5 rm'; nice -n $y x"],
    ['Bash(rm:*)', "y='1 rm x'; env B=1 A=$y ls"],
    ['Bash(rm:*)', "git -c alias.x='!rm x' x"],
    ['Bash(git push:*)', 'git -c alias.p=push p'],
    ['Bash(rm:*)', "git -c core.pager='rm x' -p log"],
    ['Bash(rm:*)', 'git --config-env=alias.x=Y x'],
    ['Bash(rm:*)', "git rebase --exe='rm x' a"],
    ['Bash(rm:*)', "git difftool -x 'rm x'"],
    ['Bash(rm:*)', "git ls-remote --upload-pack='rm x' ."],
    ['Bash(rm:*)', 'rg --pre rm x y'],
    ['Bash(rm:*)', "split --filter='rm x' a"],
    ['Bash(rm:*)', "tar -xf a --to-command='rm x'"],
    ['Bash(rm:*)', "tar -cf a --checkpoint-action exec='rm x' b"],
    ['Bash(rm:*)', 'sort --compress-program=rm a'],
    ['Bash(rm:*)', 'alias a=rm\na x'],
    ['Bash(rm:*)', "mapfile -c 1 -C 'rm x' a < f"],
    ['Bash(rm:*)', "compgen -W '$(rm x)'"],
    ['Bash(rm:*)', 'hash -p /bin/rm ls; ls x'],
    ['Bash(rm:*)', "test -v 'a[$(rm x)]'"],
    ['Bash(rm:*)', "[ -v 'a[$(rm x)]' ]"],
    ['Bash(rm:*)', "printf -v 'a[$(rm x)]' y"],
    ['Bash(rm:*)', "declare 'a[$(rm x)]=1'"],
    ['Bash(rm:*)', "x='a[$(rm x)]'; declare -i y=x"],
    ['Bash(rm:*)', "let 'a[$(rm x)]=1'"],
    ['Bash(rm:*)', "a['$(rm x)']=1"],
    ['Bash(rm:*)', '/lib64/ld-linux-x86-64.so.2 /bin/rm x'],
    ['Read(.env)', 'cat .e*'],
    ['Bash(rm:*)', "zsh -opipefail -c 'rm x'"],
    ['Bash(rm:*)', "zsh -O -c 'rm x'"],
    ['Bash(rm:*)', "git clone -u 'rm x;' ."],
    ['Bash(rm:*)', "tar -I 'rm x' -xf a"],
    ['Bash(rm:*)', 'git -c init.templateDir=/tmp/t clone a'],
    ['Edit(src/**)', 'cd $x; touch a'],
  ])('%s asks at %s, which may be meant', (text, command) => {
    expect(decide(policy('allow', { deny: [text] }), bash(command)).verdict).toBe('ask')
  })
  test.each([
    ['Bash(rm:*)', 'ls rm'],
    ['Bash(rm:*)', 'git -c user.name=a -c core.pager=cat commit -m x'],
    ['Bash(rm:*)', "git -c core.editor=true rebase -i --exec 'npm test' a"],
    ['Bash(rm:*)', '[ -n "$x" ] && export A=b && printf "%s" "a[b]"'],
    ['Bash(rm:*)', 'rg --pretty x; tar --totals -xf a; sort -u b'],
    ['Bash(rm:*)', 'read -r line; unset a; mapfile -t b < c'],
    ['Bash(rm:*)', 'bash x.sh; . ./y'],
    ['Bash(rm:*)', 'echo "rm x"'],
    ['Bash(rm)', 'rm x'],
    ['Read(.env)', 'ls'],
    ['Edit(src/**)', 'cat src/a'],
    ['Edit(src/**)', 'cd src && cat a > ../b'],
    ['Edit(src/**)', 'cp src2 b'],
  ])('%s lets %s run', (text, command) => {
    expect(decide(policy('allow', { deny: [text] }), bash(command)).verdict).toBe('allow')
  })
})

test('a rule for files counts from the folder in which a command runs', () => {
  const request = { ...bash('touch a'), folder: `${p}/src` }
  expect(decide(policy('allow', { deny: ['Edit(src/**)'] }), request).verdict).toBe('refuse')
})

describe('deny wins, then ask, then allow', () => {
  test.each([
    [{ allow: ['Bash(ls)'], ask: ['Bash(ls:*)'], deny: ['Bash'] }, 'refuse'],
    [{ allow: ['Bash(ls)'], ask: ['Bash(ls:*)'] }, 'ask'],
    [{ allow: ['Bash(ls)'] }, 'allow'],
  ])('%j', (lists, verdict) => expect(decide(policy('ask', lists), bash('ls')).verdict).toBe(verdict))
  test('for files as well', () => {
    const lists = { allow: ['Edit(src/**)'], ask: ['Edit(src/b/**)'], deny: ['Edit(*.pem)'] }
    const verdict = (path: string): string => decide(policy('ask', lists), edit(path)).verdict
    expect([`${p}/src/a`, `${p}/src/b/c`, `${p}/src/x.pem`, `${p}/y`].map(verdict)).toEqual([
      'allow',
      'ask',
      'refuse',
      'ask',
    ])
  })
})

describe('a rule for files', () => {
  test.each([
    ['Edit(src/**)', edit(`${p}/src/a/b`), 'allow'],
    ['edit(src/)', edit(`${p}/src/a`), 'allow'],
    ['Edit(**)', edit(`${p}/a`), 'allow'],
    ['Edit(**)', edit('/tmp/a'), 'ask'],
    ['Edit(**)', edit(`${p}/link-out/a`), 'ask'],
    ['Edit(/tmp/**)', edit('/tmp/a'), 'allow'],
    ['Edit(~/x/**)', edit('/home/ann/x/y'), 'allow'],
    ['Edit(../other/**)', edit('/home/ann/other/a'), 'allow'],
    ['Edit(**)', edit(`${p}/.git/config`), 'ask'],
    ['Edit(.vscode/**)', edit(`${p}/.vscode/a`), 'allow'],
    ['Edit', edit('/tmp/a'), 'allow'],
    ['Read(/etc/**)', read('/etc/a'), 'allow'],
    ['Read(/etc/**)', read('/etc/../root/a'), 'ask'],
    ['Write(src/**)', edit(`${p}/src/a`), 'ask'],
    ['Edit(SRC/**)', edit(`${p}/src/a`), 'ask'],
    ['Edit(src/**)', edit(), 'ask'],
    ['swarm_*', call('swarm_spawn'), 'allow'],
  ])('%s at %j: %s', (text, request, verdict) =>
    expect(decide(policy('ask', { allow: [text] }), request).verdict).toBe(verdict),
  )

  test.each([
    ['Read(.env)', read(`${p}/a/.env`)],
    ['Read(.env)', read('/other/.env')],
    ['Read(.ENV)', read(`${p}/.env`)],
    ['Edit(/src/**)', edit(`${p}/src/a`)],
    ['Edit(/srv/**)', edit(`${p}/link-out/a`)],
    ['Edit(link-out/**)', edit(`${p}/link-out/a`)],
    // A rule with the name of a link is also about its target: on macOS /etc is one.
    ['Edit(link-out/**)', edit('/srv/out/x/a')],
    ['Edit(./link-out/)', edit('/srv/out/a')],
    ['Edit(~/project/link-out/*.pem)', edit('/srv/out/a.PEM')],
    ['Read(link-out)', read('/srv/out')],
    ['Read(link-out)', read('/srv/out/a')],
    ['Read(link-out/a)', bash('cat /srv/out/a')],
    ['Read(link-out/**)', bash('cd /srv && cat out/a')],
    ['Edit(link-out/**)', bash('echo x > /srv/out/a')],
    ['Write', call('write', { kind: 'edit', paths: [] })],
  ])('%s denies %j', (text, request) =>
    expect(decide(policy('allow', { deny: [text] }), request).verdict).toBe('refuse'),
  )

  test.each([
    ['Edit(link-out/a)', edit('/srv/out/b')],
    ['Edit(./link-out/)', edit('/srv/out')],
    ['Edit(src/**)', edit('/srv/out/a')],
  ])('%s does not deny %j', (text, request) =>
    expect(decide(policy('allow', { deny: [text] }), request).verdict).toBe('allow'),
  )

  test('a rule with the name of a link asks about what is below its target', () => {
    expect(asks('Read(link-out/**)', bash('grep -r x /srv/out'), 'allow')).toBe('ask')
  })
})

describe('a broken rule', () => {
  test.each([
    ['Bash(rm', 'bash'],
    ['Bash()', 'bash'],
    ['Bash(a; b)', 'bash'],
    ["Bash(echo 'a)", 'bash'],
    ['Bash(a > b)', 'bash'],
    ['', '*'],
    ['git status', '*'],
    [5, '*'],
    [null, '*'],
    ['Edit(!a)', 'edit'],
    ['WebFetch(x)', 'webfetch'],
    ['PowerShell(ls:*)', 'powershell'],
    ['Bash($(a))', 'bash'],
  ])('%j asks for its tool', (text, tool) => {
    for (const effect of ['allow', 'ask', 'deny'] as const)
      expect(rule(effect, text)).toMatchObject({ effect: 'ask', tool, broken: expect.any(String) })
  })
  test('is named with its place', () => {
    expect(decide(policy('allow', { deny: ['Bash(rm'] }), bash('ls'))).toMatchObject({
      verdict: 'ask',
      because: expect.stringMatching(/Bash\(rm .*config.json line 3.*cannot be read/),
    })
    expect(decide(policy('allow', { deny: ['Bash(rm'] }), edit(`${p}/a`)).verdict).toBe('allow')
    expect(decide(policy('allow', { deny: [5] }), edit(`${p}/a`)).verdict).toBe('ask')
  })
})

test('an edit that could complete a git repository is asked about, under any spelling', () => {
  const beside = {
    ...policy('edits'),
    place: { ...policy('edits').place, exists: (path: string) => path === `${p}/sub/HEAD` },
  }
  for (const path of ['HEAD', 'x/head', 'commondir', 'a/gitdir', 'config.worktree', 'a/Config.WorkTree ', 'HEAD.'])
    expect([path, decide(policy('edits'), edit(`${p}/${path}`)).verdict]).toEqual([path, 'ask'])
  for (const path of ['config', 'Config', 'objects/x/y', 'refs/heads/a', 'packed-refs'])
    expect([path, decide(beside, edit(`${p}/sub/${path}`)).verdict]).toEqual([path, 'ask'])
  for (const path of ['config', 'config/a.ts', 'src/objects/a.ts', 'src/refs/a', 'src/heads.ts', 'HEAD/a.ts'])
    expect([path, decide(beside, edit(`${p}/${path}`)).verdict]).toEqual([path, 'allow'])
  expect(decide(beside, edit(`${p}/sub/config`)).because).toContain(
    'it can make a git repository of /home/ann/project/sub',
  )
  expect(decide({ ...beside, mode: 'ask' }, edit(`${p}/sub/config`)).verdict).toBe('ask')
  const all = { ...beside, rules: policy('ask', { allow: ['Edit(./**)', 'Bash(echo:*)'] }).rules }
  expect(decide(all, edit(`${p}/sub/config`)).verdict).toBe('ask')
  expect(decide(all, bash('echo x > sub/config')).verdict).toBe('ask')
})

test('git is asked where the settings of the folder name programs', () => {
  const says = { reason: 'it runs a program', isPartial: false, programs: [], settings: [] }
  const programs = { ...policy('ask'), place: { ...policy('ask').place, git: () => says } }
  expect(decide(programs, bash('git status'))).toMatchObject({
    verdict: 'ask',
    because: expect.stringContaining('program'),
  })
  expect(decide(programs, bash('timeout 5 git status')).verdict).toBe('ask')
  expect(decide({ ...programs, mode: 'plan' }, bash('git log')).verdict).toBe('refuse')
  expect(decide(programs, bash('ls')).verdict).toBe('allow')
})

function inOtherShell(mode: PermissionMode, command: string): string {
  const { place, ...rest } = policy(mode, { allow: ['Bash(git status)'], deny: ['Bash(rm *)'] })
  return decide({ ...rest, place: { ...place, isOtherShell: () => true } }, bash(command)).verdict
}

describe('a rule that lets commands ask to run outside the sandbox', () => {
  const outside = [rule('allow', 'Bash(docker:*)'), rule('allow', 'Bash(git push:*)'), rule('allow', 'Bash(')]
  const decided = (mode: PermissionMode, command: string, lists: Parameters<typeof policy>[1] = {}) =>
    decide({ ...policy(mode, lists), outside }, bash(command))

  test.each(['docker ps', 'docker ps && docker images', 'docker ps | wc -l', 'cd src && docker ps'])(
    'asks about what it covers wholly, in every mode that runs commands, whatever is allowed: %s',
    command => {
      for (const mode of ['ask', 'edits', 'contained', 'allow'] as const)
        expect(decided(mode, command, { allow: ['Bash'] })).toMatchObject({
          verdict: 'ask',
          outside: true,
          because: 'the rule Bash(docker:*) (config.json line 3) lets it ask to run outside the sandbox',
        })
    },
  )

  test.each([
    'docker ps && npm test',
    'npm test; docker ps',
    'docker ps > /etc/x',
    '$(docker ps)',
    'git status',
    'npm test',
  ])('leaves in the sandbox what it covers in part or not: %s', command => {
    const { verdict, ...rest } = decided('contained', command)
    expect(verdict).toBe('allow')
    expect(rest).not.toHaveProperty('outside')
  })

  test('gives way to a deny rule, and to modes that only read', () => {
    expect(decided('contained', 'docker ps', { deny: ['Bash(docker ps)'] }).verdict).toBe('refuse')
    expect(decided('plan', 'docker ps').verdict).toBe('refuse')
    expect(decided('read', 'docker ps').verdict).toBe('refuse')
  })

  test('names an ask rule beside it', () => {
    expect(decided('allow', 'docker ps', { ask: ['Bash(docker:*)'] })).toMatchObject({
      outside: true,
      because: expect.stringMatching(/run outside the sandbox; also the rule Bash\(docker:\*\)/),
    })
  })
})

test('what a command in the sandbox wants is asked in every mode, whatever is allowed; a deny rule refuses it', () => {
  const wants = { kind: 'host', host: 'api.example.org', port: 443 } as const
  const verdictIn = (mode: PermissionMode, lists: Parameters<typeof policy>[1] = {}): string =>
    decide(policy(mode, lists), { ...bash('curl x'), wants }).verdict
  expect(permissionModes.map(mode => verdictIn(mode, { allow: ['Bash'] }))).toEqual([
    'ask',
    'ask',
    'ask',
    'refuse',
    'ask',
    'refuse',
  ])
  expect(verdictIn('allow', { deny: ['Bash(curl:*)'] })).toBe('refuse')
})
