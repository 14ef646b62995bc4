/** What a command leaves in a folder that can run something later, on real folders. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { watchProtected, type WatchLimits } from '../../src/sandbox/appeared.ts'

function project(files: readonly string[] = []) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-appeared-')))
  onTestFinished(() => {
    execFileSync('chmod', ['-R', 'u+rwx', top])
    rmSync(top, { recursive: true, force: true })
  })
  const folder = join(top, 'project')
  mkdirSync(folder)
  const at = (name: string): string => join(folder, name)
  const write = (name: string, content = ''): void => {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), content)
  }
  for (const name of files) write(name)
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  return { top, folder, at, write, git }
}

type Project = ReturnType<typeof project>

const usual: WatchLimits = { folders: 10_000, time: 10_000, settled: 2500 }

/** What some work leaves, as `kind path`, with a star for what was there before. */
async function left(place: Project, work: (place: Project) => void, limits: Partial<WatchLimits> = {}) {
  const { after } = await watchProtected(place.folder, { ...usual, ...limits }).begin()
  work(place)
  const { places, isComplete } = await after()
  const rows = places.map(({ path, kind, isNew }) => `${kind} ${relative(place.folder, path)}${isNew ? '' : '*'}`)
  return { rows: rows.toSorted(), isComplete }
}

describe('after a command', () => {
  test.each<[string, readonly string[], (place: Project) => void, readonly string[]]>([
    ['nothing', ['a/b'], () => {}, []],
    ['other files', ['a/b'], ({ write }) => write('a/c.ts'), []],
    ['names that nothing runs', [], ({ write }) => ['.gitignore', 'a/.editorconfig'].forEach(name => write(name)), []],
    [
      'what tools keep',
      [],
      ({ write }) => ['.pytest_cache/x', '.venv/.x/y', '.next/.z'].forEach(name => write(name)),
      [],
    ],
    ['.envrc', [], ({ write }) => write('.envrc'), ['protected .envrc']],
    ['a deep .envrc', ['a/b/c'], ({ write }) => write('a/b/d/e/.envrc'), ['protected a/b/d/e/.envrc']],
    ['a folder of an editor', [], ({ write }) => write('a/.vscode/tasks.json'), ['protected a/.vscode']],
    [
      'a file in one that is there',
      ['.vscode/x'],
      ({ write }) => write('.vscode/tasks.json'),
      ['protected .vscode/tasks.json'],
    ],
    ['a file that runs by its name', [], ({ write }) => write('lefthook.yml'), ['protected lefthook.yml']],
    ['another spelling', [], ({ write }) => write('a/.GIT/config'), ['repository a/.GIT']],
    ['a name with a hidden character', [], ({ write }) => write('.en\u200cvrc'), ['protected .en\u200cvrc']],
    ['a changed file', ['a/.envrc'], ({ at }) => appendFileSync(at('a/.envrc'), 'x'), ['protected a/.envrc*']],
    ['git init', [], ({ git }) => git('init', '-q'), ['repository .git']],
    ['git init below', ['a/b'], ({ git }) => git('init', '-q', 'a'), ['repository a/.git']],
    [
      'git init among packages',
      ['node_modules/a/b'],
      ({ git }) => git('init', '-q', 'node_modules/a'),
      ['repository node_modules/a/.git'],
    ],
    ['files of packages', [], ({ write }) => write('node_modules/a/.eslintrc'), []],
    ['a bare repository', [], ({ git }) => git('init', '-q', '--bare', 'a'), ['repository a/HEAD']],
    ['the last part of one', ['a/objects/x', 'a/refs/x'], ({ write }) => write('a/HEAD'), ['repository a/HEAD']],
    [
      'a repository elsewhere',
      [],
      ({ write }) => ['a/HEAD', 'a/commondir'].forEach(name => write(name)),
      ['repository a/HEAD'],
    ],
    ['a file .git', ['a/b'], ({ write }) => write('a/.git', 'gitdir: /x'), ['repository a/.git']],
    ['a link out', ['a/b'], ({ at, top }) => symlinkSync(top, at('a/out')), ['link a/out']],
    ['a link to what is not there', [], ({ at, top }) => symlinkSync(join(top, 'no'), at('out')), ['link out']],
    [
      'a link to a link out',
      [],
      ({ at }) => (symlinkSync('../..', at('b')), symlinkSync('b', at('a'))),
      ['link a', 'link b'],
    ],
    ['a link inside', ['a/b'], ({ at }) => symlinkSync('a/b', at('in')), []],
    ['a link to a program', [], ({ at }) => symlinkSync('/usr/bin/env', at('python')), []],
    ['a link with a protected name', ['a'], ({ at }) => symlinkSync('a', at('.envrc')), ['protected .envrc']],
    [
      'a folder that was renamed',
      ['a/b', 'c/.envrc'],
      ({ at }) => (renameSync(at('c'), at('d')), renameSync(at('a'), at('c'))),
      ['protected d/.envrc*'],
    ],
    [
      'two folders that were swapped',
      ['a/x/.envrc', 'b/x/y'],
      ({ at }) => {
        renameSync(at('a/x'), at('c'))
        renameSync(at('b/x'), at('a/x'))
        renameSync(at('c'), at('b/x'))
      },
      ['protected b/x/.envrc*'],
    ],
    [
      'a time that is set back',
      ['a/b'],
      ({ at, write }) => {
        write('a/.envrc')
        utimesSync(at('a'), 1, 1)
        utimesSync(at('a/.envrc'), 1, 1)
      },
      ['protected a/.envrc'],
    ],
    [
      'content of the same size and time',
      ['.envrc'],
      ({ at, write }) => {
        write('.envrc', '')
        utimesSync(at('.envrc'), 1, 1)
      },
      ['protected .envrc*'],
    ],
    ['what is gone', ['.envrc'], ({ at }) => rmSync(at('.envrc')), []],
  ])('%s', async (_name, files, work, rows) => {
    expect(await left(project(files), work)).toEqual({ rows, isComplete: true })
  })

  test.each<[string, (place: Project) => void, readonly string[]]>([
    ['a commit', ({ git, write }) => (write('a'), git('add', '-A'), git('commit', '-qm', 'x', '--no-verify')), []],
    ['a hook', ({ write }) => write('.git/hooks/post-commit'), ['protected .git/hooks/post-commit']],
    ['a setting', ({ git }) => git('config', 'core.fsmonitor', 'evil'), ['protected .git/config*']],
    ['attributes', ({ write }) => write('.git/info/attributes', '* filter=x'), ['protected .git/info/attributes']],
    [
      'objects elsewhere',
      ({ write }) => write('.git/objects/info/alternates', '/x'),
      ['protected .git/objects/info/alternates'],
    ],
    [
      'a setting of a submodule',
      ({ write }) => write('.git/modules/a/b/config'),
      ['protected .git/modules/a/b/config*'],
    ],
    [
      'another repository in its place',
      ({ at, git }) => (rmSync(at('.git'), { recursive: true }), git('init', '-q')),
      ['repository .git*'],
    ],
  ])('in a repository: %s', async (_name, work, rows) => {
    const place = project()
    place.git('init', '-q')
    place.git('config', 'user.email', 'a@b')
    place.git('config', 'user.name', 'a')
    place.write('.git/modules/a/b/HEAD')
    place.write('.git/modules/a/b/config')
    const { rows: found } = await left(place, work)
    // A new repository in the place of one has other parts, too.
    const isOfIt = (row: string): boolean => rows.includes('repository .git*') && row.startsWith('protected .git/')
    expect(found.filter(row => !isOfIt(row))).toEqual(rows)
  })

  test('a folder that has not changed is not read again, and one that has is', async () => {
    const place = project(['a/b/c', 'd/e/f', 'g/h'])
    const from = Date.now()
    await vi.waitUntil(() => Date.now() > from + 100, { timeout: 10_000, interval: 10 })
    const watch = watchProtected(place.folder, { ...usual, settled: 50 })
    await watch.begin()
    const { after } = await watch.begin()
    place.write('a/b/.envrc')
    renameSync(place.at('d/e'), place.at('i'))
    place.write('d/e/x/.envrc')
    expect((await after()).places.map(({ path }) => relative(place.folder, path))).toEqual(
      expect.arrayContaining(['a/b/.envrc', 'd/e/x/.envrc']),
    )
  })

  test('a name that is not UTF-8 hides nothing', async () => {
    const place = project()
    const odd = Buffer.concat([Buffer.from(`${place.folder}/`), Buffer.from([0xff, 0xe9])])
    const { rows } = await left(place, () => {
      mkdirSync(odd)
      writeFileSync(Buffer.concat([odd, Buffer.from('/.envrc')]), '')
    })
    expect(rows).toEqual(['protected \ufffd\ufffd/.envrc'])
  })

  test('a repository of the user that a command has moved is not new: it must not be removed', async () => {
    const place = project(['lib/.git/HEAD'])
    const { after } = await watchProtected(place.folder).begin()
    renameSync(place.at('lib'), place.at('lib2'))
    expect((await after()).places).toEqual([{ path: place.at('lib2/.git'), kind: 'repository', isNew: false }])
  })

  test('what zotui itself writes in a folder that is closed to commands is left out', async () => {
    const place = project()
    const { after } = await watchProtected(place.folder, usual, [place.at('state')]).begin()
    place.write('state/sessions/.envrc')
    place.write('states/.envrc')
    expect((await after()).places.map(({ path }) => path)).toEqual([place.at('states/.envrc')])
  })

  test('a folder that nobody may read is no reason to hold anything, and is looked at when it can be read', async () => {
    const place = project(['a/b'])
    const watch = watchProtected(place.folder)
    const first = await watch.begin()
    place.write('a/.envrc')
    chmodSync(place.at('a'), 0)
    const closed = await first.after()
    expect(closed.isComplete).toBe(true)
    const second = await watch.begin()
    chmodSync(place.at('a'), 0o755)
    const opened = await second.after()
    const all = [...closed.places, ...opened.places].map(({ path }) => path)
    expect(all).toContain(place.at('a/.envrc'))
  })

  test('too many folders, a path that is too long and a folder that takes too long are not known', async () => {
    const place = project(['a/b/c', 'd/e'])
    expect((await left(place, () => {}, { folders: 3, time: 1000 })).isComplete).toBe(false)
    expect((await left(place, () => {}, { folders: 100, time: -1 })).isComplete).toBe(false)
    const { isComplete } = await left(place, () => {
      const script = `for i in $(seq 30); do n=$(printf %0200d $i); mkdir $n && cd $n || exit 1; done; touch .envrc`
      execFileSync('bash', ['-c', script], { cwd: place.folder })
    })
    expect(isComplete).toBe(false)
  })

  test('what the user adds between two commands is theirs', async () => {
    const place = project()
    const watch = watchProtected(place.folder)
    await (await watch.begin()).after()
    place.write('.envrc')
    expect(await (await watch.begin()).after()).toEqual({ places: [], isComplete: true })
  })

  test('two commands at once both see what either leaves', async () => {
    const place = project()
    const watch = watchProtected(place.folder)
    const [one, other] = [await watch.begin(), await watch.begin()]
    place.write('.envrc')
    for (const { after } of [one, other]) expect((await after()).places).toHaveLength(1)
  })
})

const safe = fc.constantFrom('a', 'b', 'src', 'lib.d', 'node_modules', 'x.ts')
const guarded = fc.constantFrom('.envrc', '.vscode', '.zotui', '.npmrc', 'mise.toml', '.husky', 'x.desktop', '.Github')
const path = fc.array(safe, { minLength: 1, maxLength: 5 }).map(parts => parts.join('/'))

test('of random changes in random folders none is missed', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { maxLength: 12 }),
      fc.array(fc.tuple(fc.array(safe, { maxLength: 4 }), fc.oneof(guarded, fc.constant('.git'))), { maxLength: 5 }),
      fc.array(path, { maxLength: 6 }),
      async (before, protectedNames, others) => {
        const place = project()
        const add = (name: string): void => {
          try {
            place.write(name)
          } catch {
            // A file is where a folder would be.
          }
        }
        before.forEach(add)
        const watch = watchProtected(place.folder)
        await (await watch.begin()).after()
        const { after } = await watch.begin()
        const made = protectedNames.flatMap(([above, name]) => {
          const whole = [...above, name].join('/')
          // Of the files of packages only repositories count.
          if (above.includes('node_modules') && name !== '.git') return []
          try {
            place.write(whole)
            return [whole]
          } catch {
            return []
          }
        })
        others.forEach(add)
        const { places, isComplete } = await after()
        expect(isComplete).toBe(true)
        const found = new Set(places.map(each => relative(place.folder, each.path)))
        expect(made.filter(name => !found.has(name))).toEqual([])
        expect([...found].filter(name => !made.includes(name))).toEqual([])
      },
    ),
    { numRuns: 150 },
  )
})
