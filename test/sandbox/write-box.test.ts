/** Real work in the box for writing: what has to go on as it does outside. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { canBox, writeStage } from '../helpers/write-box-stage.ts'

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

  test('there is no network', async () => {
    const { run } = writeStage()
    expect((await run('cat /proc/net/dev | grep -c :')).output).toBe('1\n')
  })
})
