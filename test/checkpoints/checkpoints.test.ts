/** Files as they were, kept and restored in real folders with the real git. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { openOwnWrites } from '../../src/storage/journal/own-writes.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { filesIn, isStagedRemote, stage, value } from './stage.ts'

const base = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'c.bin': Buffer.from([0, 1, 255]) }

describe.each([
  ['a repository', true],
  ['a plain folder', false],
])('in %s', (_name, isGit) => {
  test('a restore does what the preview says, and can be undone, and that undone', async () => {
    const { write, at, make, preview, restore, files, checkpoints } = stage(base, isGit)
    const before = files()
    const id = await make()
    expect(await make()).toBe(id)
    write('a.txt', 'one\nmore\n')
    unlinkSync(at('sub/b.txt'))
    write('new/deep/d.txt', 'new\n')
    rmSync(at('c.bin'))
    write('c.bin/inside', 'x')
    const changed = files()
    const { files: planned, stay } = await preview(id)
    expect(planned.map(({ path, what, added, removed }) => [path, what, added, removed])).toEqual([
      ['a.txt', 'restored', 0, 1],
      ['c.bin', 'recreated', null, null],
      ['c.bin/inside', 'deleted', 0, 1],
      ['new/deep/d.txt', 'deleted', 0, 1],
      ['sub/b.txt', 'recreated', 1, 0],
    ])
    expect(stay).toEqual([])
    expect(files()).toEqual(changed)

    const { count, failed, undo } = await restore(id)
    expect({ count, failed }).toEqual({ count: 5, failed: [] })
    expect(files()).toEqual(before)
    expect(existsSync(at('new'))).toBe(false)
    expect(await value(checkpoints.lastUndo())).toBe(undo)
    await restore(undo)
    expect(files()).toEqual(changed)
    await restore((await value(checkpoints.lastUndo())) ?? '')
    expect(files()).toEqual(before)
    write('a.txt', 'x')
    await make('agent')
    const list = (await value(checkpoints.list())).map(({ by, label }) => [by, label.split(' ')[0]])
    const restored = ['restore', 'Restored']
    expect(list).toEqual([['user', 'a'], ['user', 'Before'], restored, restored, restored, ['agent', 'a']])
  })

  test('links, modes and odd names come back, and an undo deletes none of them', async () => {
    const { write, at, make, restore, files } = stage({ ...base, 'run.sh': 'echo\n' }, isGit)
    const endsOfLines = ['a\rb', 'a\u2028b', 'sub/a\u2029b']
    chmodSync(at('run.sh'), 0o750)
    write('secret', 'key\n', 0o600)
    for (const name of ['a\nb "c" \\d\té', ...endsOfLines]) write(name, 'odd\n')
    symlinkSync('a.txt', at('link'))
    symlinkSync('nowhere', at('dangling'))
    const before = files()
    const id = await make()
    for (const name of ['run.sh', 'secret', 'a\nb "c" \\d\té', 'link', 'dangling']) rmSync(at(name))
    for (const name of endsOfLines) write(name, 'other\n')
    symlinkSync('/etc', at('run.sh'))
    write('link', 'a file now\n')
    const changed = files()
    const { undo } = await restore(id)
    expect(files()).toEqual(before)
    await restore(undo)
    expect(files()).toEqual(changed)
  })
})

describe('the user’s own stays byte for byte', () => {
  test('index, stash, refs and ignored files, while hidden and conflicting changes are kept, too', async () => {
    const { write, git, make, restore, own, read, commit } = stage({ ...base, '.gitignore': 'ignored/\n*.log\n' })
    write('a.txt', 'stashed\n')
    git('stash')
    git('checkout', '-qb', 'other')
    write('sub/b.txt', 'theirs\n')
    commit()
    git('checkout', '-q', '-')
    write('sub/b.txt', 'ours\n')
    commit()
    expect(() => git('merge', 'other')).toThrow('Command failed')
    git('update-index', '--assume-unchanged', 'a.txt')
    write('c.bin', 'staged\n')
    git('add', 'c.bin')
    const mine = {
      'a.txt': 'hidden\n',
      'c.bin': 'not staged\n',
      'fresh.txt': 'fresh\n',
      'sub/b.txt': read('sub/b.txt'),
      'ignored/x': 'mine\n',
      'trace.log': 'mine\n',
    }
    for (const [name, content] of Object.entries(mine)) write(name, content)
    git('add', '-N', 'fresh.txt')
    const before = own()
    const id = await make()
    for (const name of ['a.txt', 'c.bin', 'fresh.txt', 'sub/b.txt']) write(name, 'agent\n')
    await restore(id)
    expect(own()).toEqual(before)
    expect(Object.keys(mine).map(read)).toEqual(Object.values(mine))
    commit()
  })

  test('what the agent un-ignored, or only .git/info/exclude ignored, is not deleted', async () => {
    const { write, make, restore, preview, read, at, options } = stage({ '.gitignore': '.env\nbuild/\n', 'a.txt': '' })
    const mine = { '.env': 'SECRET=1\n', 'build/out': 'x\n', private: 'mine\n' }
    for (const [name, content] of Object.entries(mine)) write(name, content)
    write('.git/info/exclude', 'private\n')
    const id = await make()
    write('.gitignore', '')
    write('made.txt', 'by the agent\n')
    await make('agent')
    const env = { path: '.env', why: 'was ignored then' }
    const stay = [env, { ...env, path: 'build/out' }]
    expect((await preview(id)).stay).toEqual(stay)
    write('.git/info/exclude', '')
    const later = createCheckpoints(options)
    expect((await value(later.preview(id))).stay).toEqual([...stay, { ...env, path: 'private' }])
    expect((await value(later.restore(id, { session: null }))).failed).toEqual([])
    await restore(id)
    expect(Object.keys(mine).map(read)).toEqual(Object.values(mine))
    expect([read('.gitignore'), existsSync(at('made.txt'))]).toEqual(['.env\nbuild/\n', false])
  })
})

describe('traps', () => {
  test('CRLF, a filter, ident and another encoding: bytes come back as they were', async () => {
    const { write, git, make, restore, files, at, commit, configure } = stage({ 'x.md': '' })
    configure('[filter "rot"]\nclean = tr a-z b-za\nsmudge = tr b-za a-z\n')
    const attributes = {
      'crlf.txt': ['text=auto eol=crlf', 'a\r\nb\r\n'],
      'filter.txt': ['filter=rot', 'abc\n'],
      'ident.txt': ['ident', '$Id: 1 $\n'],
      'encoding.txt': ['working-tree-encoding=UTF-16LE', 'h\0i\0\n\0'],
    } as const
    const rows = Object.entries(attributes).map(([name, [attribute]]) => `${name} ${attribute}\n`)
    write('.gitattributes', rows.join(''))
    for (const [name, [, content]] of Object.entries(attributes)) write(name, content)
    commit()
    for (const name of Object.keys(attributes)) rmSync(at(name))
    git('checkout', '.')
    const before = files()
    const id = await make()
    for (const name of Object.keys(attributes)) write(name, 'agent\n')
    await restore(id)
    expect(files()).toEqual(before)
  })

  test('core.autocrlf: bytes come back as they were', async () => {
    const { write, make, restore, files, commit, configure } = stage({ 'x.md': '' })
    configure('[core]\nautocrlf = true\n')
    write('a.txt', 'a\r\nb\r\n')
    commit()
    const before = files()
    const id = await make()
    write('a.txt', 'agent\n')
    await restore(id)
    expect(files()).toEqual(before)
  })

  test('a hostile repository runs nothing', async () => {
    const { write, make, restore, at, top, preview, checkpoints, configure } = stage(base)
    const spy = join(top, 'ran')
    const touch = `touch ${spy}`
    write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
    for (const name of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit'])
      write(`hooks/${name}`, `#!/bin/sh\n${touch}\n`, 0o755)
    configure(`
      [core]
        fsmonitor = ${touch}
        hooksPath = ${at('hooks')}
        pager = ${touch}
        sshCommand = ${touch}
      [filter "evil"]
        clean = ${touch}
        smudge = ${touch}
        process = ${touch}
      [diff]
        external = ${touch}
      [diff "evil"]
        textconv = ${touch}
        command = ${touch}
    `)
    const id = await make()
    write('a.txt', 'agent\n')
    await preview(id)
    await value(checkpoints.diff(id))
    await restore(id)
    expect(existsSync(spy)).toBe(false)
  })

  // There the shell of that machine finds git.
  test.skipIf(isStagedRemote())('a git in the project is not run', async () => {
    const { write, at, options, top } = stage(base)
    const spy = join(top, 'ran')
    write('bin/git', `#!/bin/sh\ntouch ${spy}\n`, 0o755)
    const checkpoints = createCheckpoints({
      ...options,
      folder: at('sub'),
      env: { ...options.env, PATH: `${at('bin')}:${options.env['PATH'] ?? ''}` },
    })
    expect(await checkpoints.make({ by: 'user', session: null, label: '' })).toMatchObject({ ok: true })
    expect(existsSync(spy)).toBe(false)
  })

  test('a nested repository, a submodule and a file that is too large stay, and do not fail the others', async () => {
    const { at, make, preview, restore, read, write, commit } = stage(base, true, { limits: { mostOfOne: 100 } })
    const init = (name: string, ...args: string[]) =>
      execFileSync('git', ['init', '-q', '--template=', ...args, at(name)])
    const commitIn = (name: string) =>
      execFileSync('git', [...COMMITTER, '-C', at(name), 'commit', '-qm', 'x', '--allow-empty'])
    mkdirSync(at('.git/modules'))
    init('module', '--separate-git-dir', at('.git/modules/module'))
    commitIn('module')
    write('.gitmodules', '[submodule "module"]\npath = module\nurl = ../other\n')
    commit()
    for (const name of ['empty', 'full']) init(name)
    write('full/x', 'mine\n')
    write('big', 'x'.repeat(200))
    const id = await make()
    commitIn('module')
    write('full/x', 'other\n')
    write('big', 'y'.repeat(300))
    write('a.txt', 'agent\n')
    expect((await preview(id)).stay).toEqual([
      { path: 'module', why: 'is a submodule' },
      { path: 'big', why: 'was not kept: it is too large, or cannot be read' },
    ])
    expect((await restore(id)).count).toBe(1)
    expect([read('a.txt'), read('full/x'), read('big').length]).toEqual(['one\n', 'other\n', 300])
  })

  test.skipIf(process.platform !== 'linux')(
    'a file whose name is no text stays, is said, and no file of a similar name is made or deleted',
    async () => {
      const { folder, make, preview, restore, read, write, commit } = stage(base)
      const named = (name: string): Buffer => Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.from([0xff])])
      for (const name of ['was', 'gone']) writeFileSync(named(name), 'one\n')
      commit()
      const id = await make()
      writeFileSync(named('was'), 'two\n')
      unlinkSync(named('gone'))
      writeFileSync(named('new'), 'two\n')
      write('a.txt', 'agent\n')
      // git's own index has what the checkpoint does not: it is made anew from that.
      commit()
      const why = 'was not kept: its name is not UTF-8'
      expect((await preview(id)).stay.toSorted((a, b) => a.path.localeCompare(b.path))).toEqual(
        ['gone\uFFFD', 'new\uFFFD', 'was\uFFFD'].map(path => ({ path, why })),
      )
      expect((await restore(id)).count).toBe(1)
      expect(read('a.txt')).toBe('one\n')
      expect(readFileSync(named('was'), 'utf8')).toBe('two\n')
      expect(readdirSync(folder).filter(name => name.includes('\uFFFD'))).toEqual(['new\uFFFD', 'was\uFFFD'])
    },
  )

  test('the user’s gc takes nothing that was changed since, and what it takes before is not touched, and said', async () => {
    const { write, git, make, restore, preview, read, at } = stage(base)
    const names = ['a.txt', 'sub/b.txt']
    for (const name of names) write(name, `only staged ${name}\n`)
    git('add', ...names)
    const id = await make()
    write('a.txt', 'agent\n')
    await make('agent')
    write('sub/b.txt', 'agent\n')
    rmSync(at('c.bin'))
    git('reset', '-q')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    const why = 'is no longer kept: git has removed its content'
    expect((await preview(id)).stay).toEqual([{ path: 'sub/b.txt', why }])
    await restore(id)
    expect(names.map(read)).toEqual(['only staged a.txt\n', 'agent\n'])
    expect(existsSync(at('c.bin'))).toBe(true)
  })

  test('a restore writes nothing outside, and removes nothing else for a file', async () => {
    const { at, top, make, write, restore, read, files } = stage({ ...base, '.gitignore': '*.log\n' })
    const id = await make()
    const before = files()
    const restored = async () => (await restore(id)).failed.map(({ path, why }) => `${path} ${why}`)

    renameSync(at('sub'), join(top, 'moved'))
    symlinkSync(join(top, 'moved'), at('sub'))
    writeFileSync(join(top, 'moved', 'b.txt'), 'outside\n')
    expect(await restored()).toEqual([])
    expect(files()).toEqual(before)
    expect(filesIn(top)['moved/b.txt']).toBe('644 outside\n')

    rmSync(at('sub'), { recursive: true })
    writeFileSync(at('sub'), 'file\n')
    expect(await restored()).toEqual([])
    expect(files()).toEqual(before)

    rmSync(at('sub/b.txt'))
    execFileSync('mkfifo', [at('sub/b.txt')])
    rmSync(at('c.bin'))
    write('c.bin/kept.log', 'mine\n')
    write('a.txt', 'agent\n')
    expect(await restored()).toEqual([
      'c.bin cannot be restored: a folder with other files is in its place',
      'sub/b.txt cannot be restored: a pipe or a device is in its place',
    ])
    expect(lstatSync(at('sub/b.txt')).isFIFO()).toBe(true)
    expect([read('c.bin/kept.log'), read('a.txt')]).toEqual(['mine\n', 'one\n'])
  })

  test.skipIf(isStagedRemote())('the state folder in the project is not kept', async () => {
    const { make, at, options, checkpoints } = stage(base)
    const inside = createCheckpoints({ ...options, stateFolder: at('state') })
    const moment = { by: 'user', session: null, label: '' } as const
    const first = await value(inside.make(moment))
    expect((await value(inside.make(moment))).id).toBe(first.id)
    await make()
    void checkpoints
  })
})

describe('what the user changed since', () => {
  // Files of another machine are not exported or merged there.
  test.skipIf(isStagedRemote())('includes what zotui wrote for the user while the agent worked', async () => {
    const { write, at, make, preview, options } = stage(base)
    const id = await make()
    write('talk.md', 'exported\n')
    write('note.txt', 'exported\n')
    openOwnWrites(options).add('export', [at('talk.md'), at('note.txt')])
    write('note.txt', 'changed by the agent afterwards\n')
    write('a.txt', 'agent\n')
    await make('agent')
    const { files } = await preview(id)
    expect(files.map(({ path, byUser }) => [path, byUser])).toEqual([
      ['a.txt', false],
      ['note.txt', false],
      ['talk.md', true],
    ])
  })

  test('is known between the agent’s turns and after them, can be kept, and is not overwritten unseen', async () => {
    const { write, make, preview, restore, read, checkpoints } = stage({ ...base, 'd.txt': '1\n', 'e.txt': '1\n' })
    const id = await make()
    write('a.txt', 'agent\n')
    await make('agent')
    write('d.txt', 'user between\n')
    await make('user')
    write('sub/b.txt', 'agent again\n')
    await make('agent')
    write('e.txt', 'user after\n')
    const { files, present } = await preview(id)
    expect(files.map(({ path, byUser }) => [path, byUser])).toEqual([
      ['a.txt', false],
      ['d.txt', true],
      ['e.txt', true],
      ['sub/b.txt', false],
    ])
    write('e.txt', 'user again\n')
    expect(await checkpoints.restore(id, { session: 's', expected: present })).toEqual({
      ok: false,
      why: 'files have changed since the preview',
    })
    await restore(id, ['e.txt'])
    expect(['a.txt', 'd.txt', 'e.txt', 'sub/b.txt'].map(read)).toEqual(['one\n', '1\n', 'user again\n', 'two\n'])
  })
})

describe('checkpoints that are off say so', () => {
  test.each([
    ['the home folder', (s: ReturnType<typeof stage>) => s.home, 'this is your home folder, or a folder above it'],
    ['a folder above it', (s: ReturnType<typeof stage>) => s.top, 'this is your home folder, or a folder above it'],
    ['the root', () => '/', 'this is your home folder, or a folder above it'],
    ['inside of .git', (s: ReturnType<typeof stage>) => s.at('.git'), 'this folder belongs to git'],
  ])('in %s', async (_name, where, why) => {
    const s = stage(base)
    const checkpoints = createCheckpoints({ ...s.options, folder: where(s) })
    expect(await checkpoints.make({ by: 'user', session: null, label: '' })).toEqual({ ok: false, why })
  })

  test('in a folder that is too big', async () => {
    const { write, checkpoints } = stage({}, false, { limits: { mostOfAll: 1024 } })
    write('a', 'x'.repeat(2000))
    expect(await checkpoints.make({ by: 'user', session: null, label: '' })).toMatchObject({
      ok: false,
      why: expect.stringContaining('MB of new files'),
    })
  })

  test('a repository in the home folder is not kept for a project below it', async () => {
    const s = stage({}, false)
    execFileSync('git', ['init', '-q', '--template=', s.home])
    const folder = join(s.home, 'project')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a'), '1')
    writeFileSync(join(s.home, 'letter'), 'private')
    const checkpoints = createCheckpoints({ ...s.options, folder })
    const { id } = await value(checkpoints.make({ by: 'user', session: null, label: '' }))
    writeFileSync(join(s.home, 'letter'), 'changed')
    expect((await value(checkpoints.preview(id))).files).toEqual([])
  })
})

describe('the disk', () => {
  test('holds no more than it may, and what is left can be restored', async () => {
    const { write, make, checkpoints, restore, read, stateFolder } = stage(base)
    const ids: string[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      write('a.txt', `${turn}${'x'.repeat(turn + 1)}`)
      write('noise', randomBytes(100_000))
      ids.push(await make('agent'))
    }
    const most = 300_000
    expect(await value(checkpoints.prune({ most, age: 1e12, isKept: () => true }))).toBeGreaterThan(0)
    const size = Object.values(filesIn(stateFolder)).reduce((sum, file) => sum + file.length, 0)
    expect(size).toBeLessThan(most)
    const left = (await value(checkpoints.list())).map(({ id }) => id)
    expect(left.at(-1)).toBe(ids.at(-1))
    await restore(left[0] ?? '')
    expect(read('a.txt')).toMatch(/^\dx+$/)
    write('a.txt', 'goes on\n')
    const next = await make()
    write('a.txt', 'agent\n')
    await restore(next)
    expect(read('a.txt')).toBe('goes on\n')
  })

  test('a session has checkpoints of its own, which only the user may look into, and which go with it, or by age', async () => {
    const { write, make, checkpoints, restore, read, shadows } = stage(base)
    await make()
    expect(statSync(shadows()).mode & 0o077).toBe(0)
    const { id } = await value(checkpoints.make({ by: 'user', session: 'other', label: '' }))
    write('a.txt', 'agent\n')
    await make('agent')
    const prune = async (age: number, isKept: (session: string) => boolean) =>
      value(checkpoints.prune({ most: 1e12, age, isKept }))
    expect(await prune(1e12, () => true)).toBe(0)
    expect(await prune(1e12, session => session !== 's')).toBe(2)
    await restore(id)
    expect(read('a.txt')).toBe('one\n')
    expect(await prune(0, () => true)).toBe(3)
    await make()
    expect(await prune(0, () => true)).toBe(1)
  })
})

describe('a crash', () => {
  test('does not matter, whatever it left behind', async () => {
    const { make, write, options, shadows, read } = stage(base)
    const id = await make()
    const top = shadows()
    const folder = join(top, readdirSync(top).find(name => name !== 'in-use') ?? '')
    const index = join(folder, 'zotui-index')
    const leave = [
      () => {
        writeFileSync(`${index}.lock`, '')
        mkdirSync(join(folder, 'rules-abc'))
      },
      () => writeFileSync(index, 'DIRCgarbage'),
      () => rmSync(index),
      // It was in the middle of making the shadow.
      () => rmSync(join(folder, 'zotui-root')),
    ]
    for (const [turn, happen] of leave.entries()) {
      happen()
      write('a.txt', `agent ${turn}\n`)
      const fresh = createCheckpoints(options)
      await value(fresh.make({ by: 'agent', session: 's', label: '' }))
      await value(fresh.restore(id, { session: 's' }))
      expect(read('a.txt')).toBe('one\n')
    }
  })
})

// The locks are in the state folder of this machine.
test.skipIf(isStagedRemote())(
  'a program that was killed on another machine, such as a container that is gone, is waited for no longer than an hour',
  async () => {
    const { make, shadows, options } = stage(base)
    await make()
    const shadow = readdirSync(shadows()).find(name => name !== 'in-use') ?? ''
    const lock = join(shadows(), 'in-use', `${shadow}.00000000-7-7-abcdef`)
    writeFileSync(lock, '')
    const before = Date.now() / 1000 - 3700
    utimesSync(lock, before, before)
    const later = createCheckpoints({ ...options, now: Date.now })
    await value(later.make({ by: 'user', session: null, label: '' }))
    expect(existsSync(lock)).toBe(false)
  },
)

test('two programs in one folder wait for each other', async () => {
  const { options, write, checkpoints } = stage(base)
  const other = createCheckpoints(options)
  const moment = { by: 'user', session: null, label: '' } as const
  const answers = await Promise.all(
    [0, 1, 2, 3].map(async turn => {
      write(`f${turn}`, String(turn))
      return (turn % 2 === 0 ? checkpoints : other).make(moment)
    }),
  )
  expect(answers.filter(({ ok }) => !ok)).toEqual([])
})

test('a state folder that cannot be written is said, and nothing is thrown', async () => {
  const { options, top } = stage(base)
  writeFileSync(join(top, 'file'), '')
  const checkpoints = createCheckpoints({ ...options, stateFolder: join(top, 'file') })
  const moment = { by: 'user', session: null, label: '' } as const
  expect(await checkpoints.make(moment)).toEqual({ ok: false, why: expect.stringContaining('ENOTDIR') })
})

test('a folder below the top of a repository keeps all of it', async () => {
  const { options, at, write, read } = stage(base)
  const below = createCheckpoints({ ...options, folder: at('sub') })
  const { id } = await value(below.make({ by: 'user', session: null, label: '' }))
  write('a.txt', 'agent\n')
  await value(below.restore(id, { session: null }))
  expect(read('a.txt')).toBe('one\n')
})

test('a .gitignore that is a pipe does not hang it', async () => {
  const { at, options } = stage(base)
  execFileSync('mkfifo', [at('sub/.gitignore')])
  const checkpoints = createCheckpoints({ ...options, gitLimit: 1_000 })
  expect(await checkpoints.make({ by: 'user', session: null, label: '' })).toEqual({
    ok: false,
    why: 'git took too long',
  })
})

describe('odd repositories', () => {
  test.each([
    [
      'a linked worktree',
      (s: ReturnType<typeof stage>) => (s.git('worktree', 'add', '-q', join(s.top, 'w')), join(s.top, 'w')),
    ],
    ['one whose path git would take apart', (s: ReturnType<typeof stage>) => moved(s, 'a:b "c" d')],
    ['one without a commit', (s: ReturnType<typeof stage>) => made(s, 'sha1')],
    ['one with sha256, without a commit', (s: ReturnType<typeof stage>) => made(s, 'sha256')],
    ['one with a split index', (s: ReturnType<typeof stage>) => (s.git('update-index', '--split-index'), s.folder)],
  ])('%s', async (_name, prepare) => {
    const s = stage(base)
    const folder = prepare(s)
    const before = filesIn(folder)
    const checkpoints = createCheckpoints({ ...s.options, folder })
    const { id } = await value(checkpoints.make({ by: 'user', session: null, label: '' }))
    writeFileSync(join(folder, 'a.txt'), 'agent\n')
    rmSync(join(folder, 'sub'), { recursive: true })
    await value(checkpoints.restore(id, { session: null }))
    expect(filesIn(folder)).toEqual(before)
  })
})

function moved(s: ReturnType<typeof stage>, name: string): string {
  renameSync(s.folder, join(s.top, name))
  return join(s.top, name)
}

/** The same files, in a new repository without a commit. */
function made(s: ReturnType<typeof stage>, format: 'sha1' | 'sha256'): string {
  rmSync(s.at('.git'), { recursive: true })
  s.git('init', '-q', '--template=', `--object-format=${format}`)
  s.git('add', 'a.txt')
  return s.folder
}
