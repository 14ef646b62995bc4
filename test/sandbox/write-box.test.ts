/** Real work in the box for writing: what has to go on as it does outside. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Processor, seccompFilter } from '../../src/sandbox/seccomp.ts'
import { writePolicy } from '../../src/sandbox/write-places.ts'
import { writeArguments } from '../../src/sandbox/write-policy.ts'
import { writeStage } from '../helpers/write-box-stage.ts'
import { canBox } from '../helpers/can-box.ts'

describe.skipIf(!canBox)('in the box for writing', () => {
  test('a command writes the project, and nothing else', async () => {
    const { run, home, folder, has } = writeStage()
    const { output } = await run('echo x > new; echo x > ~/.bashrc; echo x > /etc/zotui-box; mkdir /opt/zotui-box')
    expect(has('new')).toBe(true)
    expect(has(path.join(home, '.bashrc'))).toBe(false)
    expect(output.match(/Read-only file system/g)).toHaveLength(2)
    expect((await run('cat ~/.bashrc')).output).toBe('x\n')
    expect(readFileSync(path.join(folder, 'new'), 'utf8')).toBe('x\n')
  })

  test('git commits, branches, rebases and stashes, and sees no file that is new', async () => {
    const { run, git } = writeStage()
    const { output, exitCode } = await run(
      `set -e; git status --porcelain; echo two >> a.txt; git commit -qam second; git checkout -qb other HEAD~1
      echo b > b.txt; git add -A; git commit -qm third; git rebase -q main; git tag v1; echo c >> a.txt; git stash -q; git stash pop -q
      git checkout -q a.txt; git worktree add -q tree; git log --oneline | wc -l`,
    )
    expect([output, exitCode]).toEqual(['3\n', 0])
    expect(git('log', '--format=%s %an', 'other')).toBe('third me\nsecond me\nfirst me\n')
    expect(git('status', '--porcelain')).toBe('?? tree/\n')
  })

  test('what decides what git runs stays as it is', async () => {
    const { run, git, folder, has } = writeStage()
    const before = readFileSync(path.join(folder, '.git/config'), 'utf8')
    const { output } = await run(
      'echo x > .git/hooks/pre-commit; git config core.fsmonitor /bin/x; echo x > .git/config; mv .git x; rm -rf .git/hooks; echo "* diff=x" > .git/info/attributes',
    )
    expect(output).toMatch(/cannot move '\.git'.*busy/)
    expect(readFileSync(path.join(folder, '.git/config'), 'utf8')).toBe(before)
    expect(git('status', '--porcelain')).toBe('')
    expect(has('.git/info/attributes')).toBe(false)
  })

  test('an exit code, a terminal of its own and the temporary files are as outside', async () => {
    const { run } = writeStage()
    expect((await run('exit 37')).exitCode).toBe(37)
    expect((await run('script -qec tty /dev/null')).output).toContain('/dev/pts/')
    await run('echo kept > /tmp/note')
    expect((await run('cat /tmp/note')).output).toBe('kept\n')
  })

  test('the project is the home folder: what a login reads is held, and secrets are closed', async () => {
    const { run, home, has } = writeStage()
    mkdirSync(path.join(home, '.ssh'))
    mkdirSync(path.join(home, '.npm'))
    for (const file of ['.ssh/id', '.bashrc']) writeFileSync(path.join(home, file), 'before\n')
    const { output } = await run('cat .ssh/id; echo x > .bashrc; echo x > new; echo x > .npm/new; cat .npm/new', {
      at: home,
    })
    expect(output).toMatch(/\.ssh\/id: Permission denied\n.*\.bashrc: Read-only file system\nx\n$/)
    expect([has(path.join(home, 'new')), has(path.join(home, '.npm/new'))]).toEqual([true, false])
  })

  test.each(['/tmp/zotui-work/deep/project', '/var/tmp/zotui-work/project', '/dev/shm/zotui-work/project'])(
    'the project is in %s',
    async at => {
      onTestFinished(() => rmSync(at.replace(/zotui-work.*/, 'zotui-work'), { recursive: true, force: true }))
      const { run, git, has } = writeStage({ at })
      const { output } = await run('echo b > b; git add -A; git commit -qm second; pwd; mv $PWD $PWD-2; mv .git x')
      expect(output).toMatch(new RegExp(`^${at}\n.*busy\n.*busy\n$`))
      expect([has('b'), git('log', '--oneline').trim().split('\n').length]).toEqual([true, 2])
    },
  )

  test('another folder that the person names can be written, and what is protected in it is held', async () => {
    const { run, home, has } = writeStage()
    const other = path.join(home, 'other')
    mkdirSync(other)
    writeFileSync(path.join(other, '.envrc'), '')
    const { output } = await run(`echo x > ${other}/new; echo x > ${other}/.envrc`, {
      write: [other, path.join(home, 'fresh')],
    })
    expect([has(path.join(other, 'new')), has(path.join(home, 'fresh'))]).toEqual([true, true])
    expect(output).toContain('Read-only file system')
  })

  test('tool chains of the home folder are seen, and cannot be changed', async () => {
    const { run, home } = writeStage()
    mkdirSync(path.join(home, '.nvm/bin'), { recursive: true })
    writeFileSync(path.join(home, '.nvm/bin/tool'), '#!/bin/sh\necho works\n', { mode: 0o755 })
    const { output } = await run('~/.nvm/bin/tool; echo x > ~/.nvm/bin/tool; mv ~/.nvm ~/.x')
    expect(output).toMatch(/^works\n.*Read-only.*\n.*busy/)
  })

  test('100 kB, quotes, several lines and jobs run as they are', async () => {
    const { run } = writeStage()
    const long = 'x'.repeat(100_000)
    expect((await run(`echo ${long} | wc -c`)).output).toBe('100001\n')
    expect((await run(`cat <<'E'\nit's "\${HOME}" \\ $(no)\nE\necho 'a'"b"`)).output).toBe(
      `it's "\${HOME}" \\ $(no)\nab\n`,
    )
    expect((await run('set -m; sleep 0.1 & wait %1; echo $?')).output).toContain('0\n')
    expect((await run('kill -TERM $$')).exitCode).toBe(143)
  })

  test('a server answers in the same command', async () => {
    const { run } = writeStage()
    const server = `require('http').createServer((_, answer) => answer.end('hello')).listen(3999, async () => { console.log(await (await fetch('http://127.0.0.1:3999')).text()); process.exit() })`
    expect((await run(`node -e "${server}"`)).output).toBe('hello\n')
  })

  test('more protected files than a box can hold refuse the command', async () => {
    const { run, folder } = writeStage()
    for (let at = 0; at < 301; at += 1) writeFileSync(path.join(folder, `.rc${at}`), '')
    await expect(run('true')).rejects.toThrow('a box cannot hold the 301 protected files in')
  })

  test('there is no network', async () => {
    const { run } = writeStage()
    expect((await run('cat /proc/net/dev | grep -c :')).output).toBe('1\n')
  })
})

const bwrap = spawnSync('/bin/sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim()

describe.skipIf(!canBox || bwrap === '' || process.getuid?.() !== 0)('an ordinary user', () => {
  const nobody = { uid: 65_534, gid: 65_534 }
  const top = mkdtempSync('/var/tmp/zotui-nobody-')
  const project = path.join(top, 'home/project')
  mkdirSync(path.join(project, '.vscode'), { recursive: true })
  writeFileSync(path.join(top, 'home/secret'), 'a secret')
  spawnSync('git', ['init', '-q', project])
  spawnSync('chown', ['-R', '65534:65534', top])
  afterAll(() => rmSync(top, { recursive: true, force: true }))

  /** The same box, started as that user. */
  function attempt(command: string): string {
    const filter = path.join(top, 'filter')
    writeFileSync(filter, seccompFilter(process.arch as Processor, { sockets: true }))
    const input = openSync(filter, 'r')
    const env = { PATH: process.env['PATH'], HOME: path.join(top, 'home') }
    const ofRoot = writePolicy({ folder: project, env, write: [], hide: [], caches: path.join(top, 'caches') })
    // That user sees nothing of root's own home folder.
    const policy = { ...ofRoot, seen: ofRoot.seen.filter(at => !at.startsWith(homedir())), closed: [] }
    spawnSync('chown', ['-R', '65534:65534', top])
    const { stdout, stderr } = spawnSync(
      bwrap,
      [...writeArguments(policy, { hasNetwork: false }), '--seccomp', '3', '--', '/bin/sh', '-c', command],
      { ...nobody, cwd: project, stdio: ['ignore', 'pipe', 'pipe', input], encoding: 'utf8', env },
    )
    closeSync(input)
    return stdout + stderr
  }

  // A system may allow boxes to root only.
  test.skipIf(attempt('echo works') !== 'works\n')('has the same box', () => {
    expect(attempt('id -u; echo x > new; cat new; git config user.name')).toContain('65534\nx\n')
    expect(attempt('cat ../secret; touch /etc/x; touch .vscode/x; touch .git/hooks/x; mv .git y')).toMatch(
      /No such file[^]*Read-only[^]*Read-only[^]*Read-only[^]*busy/,
    )
    expect(attempt('git add -A; git -c user.name=a -c user.email=b commit -qm x; git log --oneline | wc -l')).toBe(
      '1\n',
    )
    expect(attempt('unshare -Ur true')).toContain('unshare failed')
    expect(attempt('cat /proc/self/status')).toMatch(/CapEff:\t0+\n/)
    expect(attempt(`bash -c 'echo >/dev/tcp/127.0.0.1/22'`)).toContain('refused')
  })
})
