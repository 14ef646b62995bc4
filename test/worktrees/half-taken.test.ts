/**
 * A worktree that is taken in part: the disk of the user's folder has no room, or zotui is killed while git writes. None of it stays, so nothing
 * that was written in part looks like a change of the user's, and then it can be taken as a whole.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { stageWithWorktree } from './stage.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))

/** Some systems let nobody mount without more rights. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

/** Runs in a program of its own: only that one sees the small disk. */
const code = (top: string, way: string): string => `
  import { execFileSync } from 'node:child_process'
  import { randomBytes } from 'node:crypto'
  import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
  import { createWorktrees } from '${source}/worktrees/worktrees.ts'
  const env = { PATH: process.env.PATH, HOME: '${top}/home', GIT_CONFIG_NOSYSTEM: '1' }
  const folder = '${top}/project'
  const git = (...args) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, env, encoding: 'utf8' })
  const text = length => randomBytes(length / 2).toString('hex')
  git('init', '-q', '-b', 'main', '--template=')
  for (const name of ['a', 'b', 'z', 'gone']) writeFileSync(folder + '/' + name, text(4000))
  writeFileSync(folder + '/mine', 'committed')
  git('add', '-A')
  git('commit', '-qm', 'first')
  const worktrees = createWorktrees({ stateFolder: '${top}/state', env, now: () => 1 })
  const need = ({ ok, value, why }) => { if (!ok) throw new Error(why); return value }
  const { worktree } = need(await worktrees.create({ folder, prompt: 'work' }))
  const at = name => worktree.folder + '/' + name
  for (const name of ['a', 'b', 'new', 'z']) writeFileSync(at(name), text(4000).replace(/^/, 'agent'))
  writeFileSync(at('large'), text(300_000))
  rmSync(at('gone'))
  if ('${way}' === 'conflict') {
    writeFileSync(folder + '/b', text(4000))
    git('commit', '-qam', 'mine')
  }
  // A change of the user's, which the worktree does not touch.
  if ('${way}' !== 'conflict') writeFileSync(folder + '/mine', 'changed')
  writeFileSync(folder + '/other', 'untracked')
  const all = () => Object.fromEntries(readdirSync(folder).filter(name => !['.git', 'fill', 'rest'].includes(name)).map(name => [name, readFileSync(folder + '/' + name, 'latin1')]))
  const before = [all(), git('status', '--porcelain', '--', ':!fill', ':!rest'), git('rev-parse', 'HEAD')]
  const preview = need(await worktrees.preview(worktree, '${way === 'conflict' ? 'merge' : way}'))
  execFileSync('sh', ['-c', 'head -c 3000000 /dev/zero >fill 2>/dev/null; truncate -s -100K fill'], { cwd: folder })
  const take = () => ${way === 'conflict' ? 'worktrees.beginMerge(worktree, preview)' : 'worktrees.take(worktree, preview)'}
  const failed = await take()
  const files = all()
  rmSync(folder + '/fill')
  const after = [files, git('status', '--porcelain', '--', ':!fill', ':!rest'), git('rev-parse', 'HEAD')]
  const done = await take()
  const same = JSON.stringify(after) === JSON.stringify(before)
  const names = Object.keys(after[0]).filter(name => after[0][name] !== before[0][name])
  console.log(JSON.stringify({ failed, same, names, status: same ? null : after[1], lost: Object.keys(before[0]).filter(name => !(name in after[0])), done: done.ok || done.why, large: all().large?.length }))
`

test.runIf(canMount).each(['merge', 'rebase', 'pick', 'conflict'])('without room: %s', way => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-full-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  for (const name of ['home', 'project', 'state']) mkdirSync(join(top, name))
  const script = 'mount -t tmpfs -o size=2m none "$1/project" && exec "$2" --input-type=module -e "$3"'
  const words = execFileSync('unshare', ['-rm', 'sh', '-c', script, 'sh', top, process.execPath, code(top, way)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(JSON.parse(words)).toEqual({
    failed: { ok: false, why: expect.stringMatching(/unable to write|No space left/i) },
    same: true,
    names: [],
    status: null,
    lost: [],
    done: true,
    large: 300_000,
  })
})

/** A git that writes a part of what it is to take, and kills zotui. */
const KILLING = `#!/bin/sh
for last; do :; done
case " $* " in
*" merge "*" $last "*|*" read-tree -m "*)
  [ "$last" = -- ] || {
    PATH=\${PATH#*:}
    git show "$last:b.txt" >b.txt
    git show "$last:dir/new" | head -c 3 >new.part
    mkdir -p dir && mv new.part dir/new
    rm -f gone.txt
    kill -9 $PPID
    exit 1
  } ;;
esac
PATH=\${PATH#*:} exec git "$@"
`

test.each(['merge', 'pick'] as const)('killed: %s', async way => {
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'gone.txt': 'three\n', 'mine.txt': 'mine\n' }
  const content = { 'b.txt': 'two of the agent\n', 'dir/new': 'new\n' }
  const { stage, worktree } = await stageWithWorktree(content, files)
  rmSync(join(worktree.folder, 'gone.txt'))
  stage.put({ 'mine.txt': 'changed\n' })
  const bin = join(stage.top, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'git'), KILLING)
  chmodSync(join(bin, 'git'), 0o755)
  const before = stage.git('status', '--porcelain')
  const env = { ...stage.env, PATH: `${bin}:${stage.env['PATH']}` }
  const taking = `
    import { createWorktrees } from '${source}/worktrees/worktrees.ts'
    const worktrees = createWorktrees({ stateFolder: '${stage.stateFolder}', env: ${JSON.stringify(env)}, now: () => 1 })
    const { value } = await worktrees.preview(${JSON.stringify(worktree)}, '${way}')
    console.log(JSON.stringify(await worktrees.take(${JSON.stringify(worktree)}, value)))`
  const killed = spawnSync(process.execPath, ['--input-type=module', '-e', taking], { encoding: 'utf8' })
  expect({ signal: killed.signal, words: killed.stdout + killed.stderr }).toEqual({ signal: 'SIGKILL', words: '' })
  expect(stage.git('status', '--porcelain')).not.toBe(before)
  const preview = await stage.worktrees.preview(worktree, way)
  expect(stage.git('status', '--porcelain')).toBe(before)
  expect(preview).toMatchObject({ ok: true, value: { overlap: [], conflicts: [] } })
  if (!preview.ok) throw new Error(preview.why)
  expect(await stage.worktrees.take(worktree, preview.value)).toMatchObject({ ok: true })
  const text = (name: string): string => readFileSync(join(stage.folder, name), 'utf8')
  expect([text('b.txt'), text('dir/new'), text('mine.txt')]).toEqual(['two of the agent\n', 'new\n', 'changed\n'])
  expect(existsSync(join(stage.folder, 'gone.txt'))).toBe(false)
  expect(existsSync(`${worktree.folder}.taking`)).toBe(false)
})

test('killed: what the user has written since stays, and is named', async () => {
  const { stage, worktree } = await stageWithWorktree(
    { 'b.txt': 'of the agent\n', new: 'new\n' },
    { 'a.txt': 'one\n', 'b.txt': 'two\n' },
  )
  const onto = stage.git('rev-parse', 'HEAD')
  const preview = await stage.worktrees.preview(worktree, 'merge')
  if (!preview.ok) throw new Error(preview.why)
  const { tree, files } = preview.value
  const owner = `left-${'a'.repeat(12)}`
  writeFileSync(`${worktree.folder}.taking`, JSON.stringify({ version: 1, owner, onto, tree, files }))
  stage.put({ 'b.txt': 'mine\n', new: 'mine, too\n' })
  const again = await stage.worktrees.preview(worktree, 'merge')
  expect(again).toMatchObject({ ok: true, value: { overlap: ['b.txt', 'new'] } })
  expect([readFileSync(join(stage.folder, 'b.txt'), 'utf8'), readFileSync(join(stage.folder, 'new'), 'utf8')]).toEqual([
    'mine\n',
    'mine, too\n',
  ])
})
