/** Files as they were, kept and restored in real folders with the real git. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { filesIn, isStagedElsewhere, stage, value } from './stage.ts'

const base = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'c.bin': Buffer.from([0, 1, 255]) }

describe.each([
  ['a repository', true],
  ['a plain folder', false],
])('in %s', (_name, isGit) => {
  test('a restore brings back what was changed, deleted, and made', async () => {
    const { write, at, make, restore, files } = stage(base, isGit)
    const before = files()
    const id = await make()
    write('a.txt', 'changed\n')
    unlinkSync(at('sub/b.txt'))
    write('new/deep/d.txt', 'new\n')
    rmSync(at('c.bin'))
    mkdirSync(at('c.bin'))
    write('c.bin/inside', 'x')
    const { count, failed } = await restore(id)
    expect({ count, failed }).toEqual({ count: 5, failed: [] })
    expect(files()).toEqual(before)
    expect(existsSync(at('new'))).toBe(false)
  })

  test('the preview says which files and lines, and changes nothing', async () => {
    const { write, at, make, preview, files } = stage(base, isGit)
    const id = await make()
    write('a.txt', 'one\nmore\n')
    unlinkSync(at('sub/b.txt'))
    write('d.txt', 'new\n')
    const after = files()
    const { files: planned, stay } = await preview(id)
    expect(planned.map(({ path, what, added, removed }) => [path, what, added, removed])).toEqual([
      ['a.txt', 'restored', 0, 1],
      ['d.txt', 'deleted', 0, 1],
      ['sub/b.txt', 'recreated', 1, 0],
    ])
    expect(stay).toEqual([])
    expect(files()).toEqual(after)
  })

  test('a restore can be undone, and that undone', async () => {
    const { write, make, restore, files, checkpoints } = stage(base, isGit)
    const id = await make()
    write('a.txt', 'mine\n')
    write('later.txt', 'x\n')
    const changed = files()
    const { undo } = await restore(id)
    expect(await value(checkpoints.lastUndo())).toBe(undo)
    await restore(undo)
    expect(files()).toEqual(changed)
    await restore((await value(checkpoints.lastUndo())) ?? '')
    expect(files()['a.txt']).toBe('644 one\n')
    const labels = (await value(checkpoints.list())).map(({ label }) => label.split(' ')[0])
    expect(labels.filter(label => label === 'Restored')).toHaveLength(3)
    expect(labels).not.toContain('Restoring')
  })

  test('an unchanged folder has one checkpoint', async () => {
    const { make, write, checkpoints } = stage(base, isGit)
    expect(await make()).toBe(await make())
    write('a.txt', 'x')
    await make('agent')
    expect((await value(checkpoints.list())).map(({ by }) => by)).toEqual(['user', 'agent'])
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
  test('index, stash, refs, ignored files', async () => {
    const { write, git, make, restore, own, read, commit } = stage({ ...base, '.gitignore': 'ignored/\n*.log\n' })
    write('a.txt', 'stashed\n')
    git('stash')
    write('a.txt', 'staged\n')
    git('add', 'a.txt')
    write('a.txt', 'not staged\n')
    write('ignored/x', 'mine\n')
    write('trace.log', 'mine\n')
    const before = own()
    const id = await make()
    write('a.txt', 'agent\n')
    write('sub/b.txt', 'agent\n')
    await restore(id)
    expect(own()).toEqual(before)
    expect(read('a.txt')).toBe('not staged\n')
    expect([read('ignored/x'), read('trace.log')]).toEqual(['mine\n', 'mine\n'])
    commit()
  })

  test('what the agent un-ignored is not deleted', async () => {
    const { write, make, restore, preview, read, at } = stage({ '.gitignore': '.env\nbuild/\n', 'a.txt': '' })
    write('.env', 'SECRET=1\n')
    write('build/out', 'x\n')
    const id = await make()
    write('.gitignore', '')
    write('made.txt', 'by the agent\n')
    await make('agent')
    expect((await preview(id)).stay).toEqual([
      { path: '.env', why: 'was ignored then' },
      { path: 'build/out', why: 'was ignored then' },
    ])
    await restore(id)
    expect([read('.env'), read('build/out'), read('.gitignore')]).toEqual(['SECRET=1\n', 'x\n', '.env\nbuild/\n'])
    expect(existsSync(at('made.txt'))).toBe(false)
  })

  test('what only .git/info/exclude ignored is not deleted', async () => {
    const { write, make, restore, read, at, options } = stage(base)
    writeFileSync(at('.git/info/exclude'), 'private\n')
    write('private', 'mine\n')
    const id = await make()
    writeFileSync(at('.git/info/exclude'), '')
    const later = createCheckpoints(options)
    write('a.txt', 'x')
    await value(later.make({ by: 'agent', session: null, label: '' }))
    expect((await value(later.restore(id, { session: null }))).failed).toEqual([])
    expect(read('private')).toBe('mine\n')
    await restore(id)
  })
})

describe('traps', () => {
  test('CRLF, a filter, ident and another encoding: bytes come back as they were', async () => {
    const { write, git, make, restore, files, at, commit } = stage({ 'x.md': '' })
    git('config', 'filter.rot.clean', 'tr a-z b-za')
    git('config', 'filter.rot.smudge', 'tr b-za a-z')
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
    const { write, git, make, restore, files, commit } = stage({ 'x.md': '' })
    git('config', 'core.autocrlf', 'true')
    write('a.txt', 'a\r\nb\r\n')
    commit()
    const before = files()
    const id = await make()
    write('a.txt', 'agent\n')
    await restore(id)
    expect(files()).toEqual(before)
  })

  test('a hostile repository runs nothing', async () => {
    const { write, git, make, restore, at, top, preview, checkpoints } = stage(base)
    const spy = join(top, 'ran')
    const touch = `touch ${spy}`
    write('.gitattributes', '* filter=evil diff=evil merge=evil\n')
    git('config', 'core.fsmonitor', touch)
    git('config', 'core.hooksPath', at('hooks'))
    for (const name of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit'])
      write(`hooks/${name}`, `#!/bin/sh\n${touch}\n`, 0o755)
    for (const key of ['clean', 'smudge', 'process']) git('config', `filter.evil.${key}`, touch)
    for (const key of ['textconv', 'command']) git('config', `diff.evil.${key}`, touch)
    git('config', 'core.pager', touch)
    git('config', 'core.sshCommand', touch)
    git('config', 'diff.external', touch)
    rmSync(spy, { force: true })
    const id = await make()
    write('a.txt', 'agent\n')
    await preview(id)
    await value(checkpoints.diff(id))
    await restore(id)
    expect(existsSync(spy)).toBe(false)
  })

  // There the shell of that machine finds git.
  test.skipIf(isStagedElsewhere())('a git in the project is not run', async () => {
    const { write, at, options, top } = stage(base)
    const spy = join(top, 'ran')
    write('bin/git', `#!/bin/sh\ntouch ${spy}\n`, 0o755)
    const checkpoints = createCheckpoints({
      ...options,
      folder: at('sub'),
      env: { ...options.env, PATH: `${at('bin')}:${options.env['PATH'] ?? ''}` },
    })
    expect(await checkpoints.make({ by: 'user', session: null, label: '' })).toEqual({
      ok: false,
      why: 'git is not installed',
    })
    expect(existsSync(spy)).toBe(false)
  })

  test('a nested repository, with or without commits, does not fail it, and stays', async () => {
    const { write, at, make, restore, read } = stage(base)
    for (const name of ['empty', 'full']) execFileSync('git', ['init', '-q', at(name)])
    write('full/x', 'mine\n')
    const id = await make()
    write('full/x', 'other\n')
    write('a.txt', 'agent\n')
    await restore(id)
    expect([read('a.txt'), read('full/x')]).toEqual(['one\n', 'other\n'])
  })

  test('a submodule stays, and the preview says so', async () => {
    const { git, at, make, preview, restore, top, write, commit } = stage(base)
    const other = join(top, 'other')
    execFileSync('git', ['init', '-q', other])
    execFileSync('git', [
      '-C',
      other,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-qm',
      'x',
      '--allow-empty',
    ])
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', other, 'module')
    commit()
    const id = await make()
    execFileSync('git', [
      '-C',
      at('module'),
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit',
      '-qm',
      'y',
      '--allow-empty',
    ])
    write('a.txt', 'agent\n')
    expect((await preview(id)).stay).toEqual([{ path: 'module', why: 'is a submodule' }])
    expect((await restore(id)).count).toBe(1)
  })

  test('the user’s gc takes nothing that was changed since', async () => {
    const { write, git, make, restore, read } = stage(base)
    write('a.txt', 'only staged\n')
    git('add', 'a.txt')
    const id = await make()
    write('a.txt', 'agent\n')
    await make('agent')
    git('reset', '-q')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    await restore(id)
    expect(read('a.txt')).toBe('only staged\n')
  })

  test('content that git has removed meanwhile is not touched, and said', async () => {
    const { write, git, make, restore, preview, read } = stage(base)
    write('a.txt', 'only staged\n')
    git('add', 'a.txt')
    const id = await make()
    write('a.txt', 'agent\n')
    write('sub/b.txt', 'agent\n')
    git('reset', '-q')
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
    expect((await preview(id)).stay).toEqual([{ path: 'a.txt', why: 'is no longer kept: git has removed its content' }])
    await restore(id)
    expect([read('a.txt'), read('sub/b.txt')]).toEqual(['agent\n', 'two\n'])
  })

  test('assume-unchanged, intent-to-add and conflicts do not hide changes', async () => {
    const { write, git, make, restore, read, commit, own } = stage(base)
    git('checkout', '-qb', 'other')
    write('sub/b.txt', 'theirs\n')
    commit()
    git('checkout', '-q', '-')
    write('sub/b.txt', 'ours\n')
    commit()
    expect(() => git('merge', 'other')).toThrow('Command failed')
    git('update-index', '--assume-unchanged', 'a.txt')
    write('a.txt', 'hidden\n')
    write('fresh.txt', 'fresh\n')
    git('add', '-N', 'fresh.txt')
    const conflict = read('sub/b.txt')
    const before = own()
    const id = await make()
    for (const name of ['a.txt', 'fresh.txt', 'sub/b.txt']) write(name, 'agent\n')
    await restore(id)
    expect([read('a.txt'), read('fresh.txt'), read('sub/b.txt')]).toEqual(['hidden\n', 'fresh\n', conflict])
    expect(own()).toEqual(before)
  })

  test('a file that cannot be kept does not fail the others', async () => {
    const { write, make, restore, preview, read } = stage(base, true, { limits: { mostOfOne: 100 } })
    write('big', 'x'.repeat(200))
    const id = await make()
    write('big', 'y'.repeat(300))
    write('a.txt', 'agent\n')
    expect((await preview(id)).stay).toEqual([{ path: 'big', why: 'was not kept: it is too large, or cannot be read' }])
    await restore(id)
    expect([read('a.txt'), read('big').length]).toEqual(['one\n', 300])
  })

  test.each([
    [
      'a folder became a link out',
      (at: (name: string) => string, top: string) => {
        renameSync(at('sub'), join(top, 'moved'))
        symlinkSync(join(top, 'moved'), at('sub'))
      },
      [],
    ],
    [
      'a file became a pipe',
      (at: (name: string) => string) => {
        rmSync(at('sub/b.txt'))
        execFileSync('mkfifo', [at('sub/b.txt')])
      },
      ['cannot be restored: a pipe or a device is in its place'],
    ],
    [
      'a folder became a file',
      (at: (name: string) => string) => {
        rmSync(at('sub'), { recursive: true })
        writeFileSync(at('sub'), 'file\n')
      },
      [],
    ],
  ] as [string, (at: (name: string) => string, top: string) => void, string[]][])(
    '%s: nothing outside is written',
    async (_name, happen, problems) => {
      const { at, top, make, restore, read, files } = stage(base)
      const id = await make()
      const before = files()
      happen(at, top)
      if (existsSync(join(top, 'moved'))) writeFileSync(join(top, 'moved', 'b.txt'), 'outside\n')
      const { failed } = await restore(id)
      expect(failed.map(({ why }) => why)).toEqual(problems)
      // A pipe stays where it is.
      expect(Object.keys(files())).toEqual(
        Object.keys(before).filter(path => problems.length === 0 || path !== 'sub/b.txt'),
      )
      expect(filesIn(top)['moved/b.txt'] ?? '644 outside\n').toBe('644 outside\n')
      expect(read('a.txt')).toBe('one\n')
    },
  )

  test('a folder with ignored files is not removed for a file', async () => {
    const { write, at, make, restore, read } = stage({ ...base, '.gitignore': '*.log\n' })
    const id = await make()
    rmSync(at('a.txt'))
    write('a.txt/kept.log', 'mine\n')
    const { failed } = await restore(id)
    expect(failed).toEqual([{ path: 'a.txt', why: 'cannot be restored: a folder with other files is in its place' }])
    expect(read('a.txt/kept.log')).toBe('mine\n')
  })

  test.skipIf(isStagedElsewhere())('the state folder in the project is not kept', async () => {
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
  test('is known between the agent’s turns and after them', async () => {
    const { write, make, preview } = stage({ ...base, 'd.txt': '1\n', 'e.txt': '1\n' })
    const id = await make()
    write('a.txt', 'agent\n')
    await make('agent')
    write('d.txt', 'user between\n')
    await make('user')
    write('sub/b.txt', 'agent again\n')
    await make('agent')
    write('e.txt', 'user after\n')
    const { files } = await preview(id)
    expect(files.map(({ path, byUser }) => [path, byUser])).toEqual([
      ['a.txt', false],
      ['d.txt', true],
      ['e.txt', true],
      ['sub/b.txt', false],
    ])
  })

  test('can be kept, and is not overwritten if it happens after the preview', async () => {
    const { write, make, preview, restore, read, checkpoints } = stage(base)
    const id = await make()
    write('a.txt', 'agent\n')
    write('sub/b.txt', 'user\n')
    const { present } = await preview(id)
    write('sub/b.txt', 'user again\n')
    expect(await checkpoints.restore(id, { session: 's', expected: present })).toEqual({
      ok: false,
      why: 'files have changed since the preview',
    })
    await restore(id, ['sub/b.txt'])
    expect([read('a.txt'), read('sub/b.txt')]).toEqual(['one\n', 'user again\n'])
  })
})

describe('off, and said', () => {
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
    execFileSync('git', ['init', '-q', s.home])
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
    for (let turn = 0; turn < 5; turn += 1) {
      write('a.txt', `${turn}${'x'.repeat(turn + 1)}`)
      write('noise', Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256))))
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

  test('checkpoints go with their session, and by age', async () => {
    const { write, make, checkpoints } = stage(base)
    await make()
    write('a.txt', '2')
    await make('agent')
    expect(await value(checkpoints.prune({ most: 1e12, age: 1e12, isKept: () => true }))).toBe(0)
    expect(await value(checkpoints.prune({ most: 1e12, age: 1e12, isKept: id => id !== 's' }))).toBe(2)
    await make()
    expect(await value(checkpoints.prune({ most: 1e12, age: 0, isKept: () => true }))).toBe(1)
  })
})

describe('a crash', () => {
  test.each([
    ['left the lock of the index', (folder: string) => writeFileSync(join(folder, 'zotui-index.lock'), '')],
    ['tore the index', (folder: string) => writeFileSync(join(folder, 'zotui-index'), 'DIRCgarbage')],
    ['lost the index', (folder: string) => rmSync(join(folder, 'zotui-index'))],
    ['was in the middle of making it', (folder: string) => rmSync(join(folder, 'zotui-root'))],
    ['left rules behind', (folder: string) => mkdirSync(join(folder, 'rules-abc'))],
  ])('that %s does not matter', async (_name, happen) => {
    const { make, write, options, shadows, read } = stage(base)
    const id = await make()
    const top = shadows()
    happen(join(top, readdirSync(top).find(name => name !== 'in-use') ?? ''))
    write('a.txt', 'agent\n')
    const fresh = createCheckpoints(options)
    await value(fresh.make({ by: 'agent', session: 's', label: '' }))
    await value(fresh.restore(id, { session: 's' }))
    expect(read('a.txt')).toBe('one\n')
  })
})

test('only the user may look into it', async () => {
  const { make, shadows } = stage(base)
  await make()
  expect(statSync(shadows()).mode & 0o077).toBe(0)
})

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

test('a session has checkpoints of its own, which stay when another session goes', async () => {
  const { make, checkpoints, restore, write, read } = stage(base)
  await make()
  const { id } = await value(checkpoints.make({ by: 'user', session: 'other', label: '' }))
  expect(await value(checkpoints.prune({ most: 1e12, age: 1e12, isKept: session => session === 'other' }))).toBe(1)
  write('a.txt', 'agent\n')
  await restore(id)
  expect(read('a.txt')).toBe('one\n')
})

test('rules that are a pipe do not hold it up for ever', async () => {
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
    ['one with sha256', (s: ReturnType<typeof stage>) => made(s, ['init', '-q', '--object-format=sha256'])],
    ['one with a split index', (s: ReturnType<typeof stage>) => (s.git('update-index', '--split-index'), s.folder)],
    ['one without a commit', (s: ReturnType<typeof stage>) => made(s, ['init', '-q'])],
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
function made(s: ReturnType<typeof stage>, args: readonly string[]): string {
  rmSync(s.at('.git'), { recursive: true })
  s.git(...args)
  s.git('add', 'a.txt')
  return s.folder
}
