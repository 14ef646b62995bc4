import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFileList, type FileList } from '../../../src/platform/files/list.ts'
import { makeProject, type Project } from './project.ts'

type Listed = FileList & {
  /** Resolves when something was told the next time. */
  change: () => Promise<void>
  /** The paths when all are found, in order. */
  all: () => Promise<string[]>
  clock: { time: number }
}

/** A clock that stands still unless it is moved. */
function list({ folder }: Pick<Project, 'folder'>, limit?: number, beside: readonly string[] = []): Listed {
  const clock = { time: 0 }
  const waiting: (() => void)[] = []
  const change = (): Promise<void> => new Promise(resolve => void waiting.push(resolve))
  const options = {
    folder,
    beside: () => beside,
    now: () => clock.time,
    onChange: () => waiting.splice(0).forEach(resolve => resolve()),
  }
  const files = createFileList(limit === undefined ? options : { ...options, limit })
  onTestFinished(files.stop)
  return {
    ...files,
    change,
    clock,
    async all() {
      const changed = change()
      files.refresh()
      await changed
      while (!files.current().isComplete) await change()
      return [...files.current().paths].toSorted()
    },
  }
}

test('lists the files of the folders beside it by their whole paths, up to the limit', async () => {
  const [project, other] = [makeProject(), makeProject()]
  project.write('a.ts')
  other.write('src/b.ts', 'node_modules/c.ts')
  const { folder } = other
  expect(await list(project, undefined, [folder]).all()).toEqual([`${folder}/src/`, `${folder}/src/b.ts`, 'a.ts'])
  expect(await list(project, 2, [folder]).all()).toEqual([`${folder}/src/`, 'a.ts'])
})

describe('in a git repository', () => {
  test('lists tracked files, new ones and their folders, and no ignored ones', async () => {
    const project = makeProject()
    project.git('init')
    project.write('README.md', 'src/app/main.ts', 'src/old.ts', 'dist/out.js', 'logs/a.log')
    writeFileSync(join(project.folder, '.gitignore'), 'dist/\n*.log\n')
    project.git('add', '.')
    project.git('commit', '-m', 'begin')
    project.write('src/new file é.ts')
    expect(await list(project).all()).toEqual([
      '.gitignore',
      'README.md',
      'src/',
      'src/app/',
      'src/app/main.ts',
      'src/new file é.ts',
      'src/old.ts',
    ])
  })

  test('omits a deleted file and a folder that contained nothing else', async () => {
    const project = makeProject()
    project.git('init')
    project.write('a/b/gone.ts', 'a/stays.ts', 'nested/')
    project.git('add', '.')
    rmSync(join(project.folder, 'a/b'), { recursive: true })
    expect(await list(project).all()).toEqual(['a/', 'a/stays.ts'])
  })

  test('lists a subfolder alone', async () => {
    const project = makeProject()
    project.git('init')
    project.write('top.ts', 'part/inner.ts')
    expect(await list({ folder: join(project.folder, 'part') }).all()).toEqual(['inner.ts'])
  })

  test('lists a file in conflict once', async () => {
    const project = makeProject()
    project.git('init', '-b', 'one')
    project.write('a.ts', 'b.ts')
    project.git('add', '.')
    project.git('commit', '-m', 'begin')
    project.git('switch', '-c', 'two')
    writeFileSync(join(project.folder, 'a.ts'), 'two')
    project.git('commit', '-am', 'two')
    project.git('switch', 'one')
    writeFileSync(join(project.folder, 'a.ts'), 'one')
    project.git('commit', '-am', 'one')
    expect(() => project.git('merge', 'two')).toThrow('Command failed')
    expect(await list(project).all()).toEqual(['a.ts', 'b.ts'])
  })

  test('lists a folder that its repository ignores', async () => {
    const project = makeProject()
    project.git('init')
    project.write('scratch/idea.ts')
    writeFileSync(join(project.folder, '.gitignore'), 'scratch\n')
    expect(await list({ folder: join(project.folder, 'scratch') }).all()).toEqual(['idea.ts'])
  })

  test.skipIf(process.platform === 'win32')('runs no program that the project names', async () => {
    const project = makeProject()
    project.git('init')
    project.write('a.ts', 'hook')
    writeFileSync(join(project.folder, 'hook'), `#!/bin/sh\ntouch ${join(project.folder, 'ran')}\n`)
    chmodSync(join(project.folder, 'hook'), 0o755)
    project.git('config', 'core.fsmonitor', join(project.folder, 'hook'))
    expect(await list(project).all()).toEqual(['a.ts', 'hook'])
  })
})

describe('without git', () => {
  test('applies ignore files, the nearer ones first', async () => {
    const project = makeProject()
    project.write('a.ts', 'a.log', 'keep.log', 'sub/b.log', 'sub/c.ts', 'sub/deep/d.log', 'build/x.js', 'sub/build')
    writeFileSync(join(project.folder, '.gitignore'), '*.log\n!keep.log\n/build\n')
    writeFileSync(join(project.folder, 'sub/.gitignore'), '!b.log\nc.*\n')
    expect(await list(project).all()).toEqual([
      '.gitignore',
      'a.ts',
      'keep.log',
      'sub/',
      'sub/.gitignore',
      'sub/b.log',
      'sub/build',
      'sub/deep/',
    ])
  })

  test('omits the output of tools', async () => {
    const project = makeProject()
    project.write('a.ts', 'node_modules/x/index.js', 'sub/node_modules/y.js', 'sub/__pycache__/z.pyc', '.hg/store')
    expect(await list(project).all()).toEqual(['a.ts', 'sub/'])
  })

  test.skipIf(process.platform === 'win32')('lists links without following them', async () => {
    const project = makeProject()
    project.write('sub/a.ts')
    symlinkSync('..', join(project.folder, 'sub/up'))
    symlinkSync('nowhere', join(project.folder, 'broken'))
    expect(await list(project).all()).toEqual(['broken', 'sub/', 'sub/a.ts', 'sub/up'])
  })

  test.skipIf(process.platform === 'win32')('omits names that cannot be written in a prompt', async () => {
    const project = makeProject()
    project.write('a.ts', 'b\nc.ts', 'd\u001B[31m.ts', 'with blank.ts')
    writeFileSync(Buffer.concat([Buffer.from(`${project.folder}/bad`), Buffer.from([0xff])]), '')
    expect(await list(project).all()).toEqual(['a.ts', 'with blank.ts'])
  })

  test('lists nothing for a missing folder', async () => {
    expect(await list({ folder: join(makeProject().folder, 'nowhere') }).all()).toEqual([])
  })

  test('ignores a `.gitignore` that is a folder', async () => {
    const project = makeProject()
    project.write('.gitignore/a.ts')
    expect(await list(project).all()).toEqual(['.gitignore/', '.gitignore/a.ts'])
  })
})

describe('many files', () => {
  test('are kept up to the limit', async () => {
    const project = makeProject()
    project.write(...Array.from({ length: 300 }, (_, at) => `d${at % 40}/file-${at}.ts`))
    expect(await list(project, 100).all()).toHaveLength(100)
    project.git('init')
    expect(await list(project, 100).all()).toHaveLength(100)
  })

  test('in one folder are all listed', async () => {
    const project = makeProject()
    const names = Array.from({ length: 1500 }, (_, at) => `${'long-'.repeat(40)}${at}.ts`)
    project.write(...names)
    expect(await list(project).all()).toEqual(names.toSorted())
  })

  test('are available while the search continues, which yields to other work', async () => {
    const project = makeProject()
    for (let at = 0; at < 20; at += 1) {
      mkdirSync(join(project.folder, `part-${at}`))
      for (let file = 0; file < 150; file += 1) writeFileSync(join(project.folder, `part-${at}`, `${file}.ts`), '')
    }
    const files = list(project)
    const changed = files.change()
    files.refresh()
    let turns = 0
    const turn = (): void => {
      turns += 1
      if (!files.current().isComplete) setImmediate(turn)
    }
    setImmediate(turn)
    await changed
    expect(files.current().paths.length).toBeGreaterThan(0)
    const early = files.current().paths
    expect(await files.all()).toHaveLength(20 + 3000)
    // The same array has grown.
    expect(files.current().paths).toBe(early)
    expect(turns).toBeGreaterThan(2)
  })
})

describe('a later listing', () => {
  test('is made only after some seconds, and the old list stays until then', async () => {
    const project = makeProject()
    project.write('a.ts')
    const files = list(project)
    expect(await files.all()).toEqual(['a.ts'])
    const before = files.current().paths
    project.write('b.ts')
    files.clock.time = 4000
    files.refresh()
    files.clock.time = 6000
    const changed = files.change()
    files.refresh()
    expect(files.current()).toEqual({ paths: ['a.ts'], isComplete: true })
    await changed
    expect(files.current().paths.toSorted()).toEqual(['a.ts', 'b.ts'])
    expect(before).toEqual(['a.ts'])
  })

  test('is the same list if nothing changed', async () => {
    const project = makeProject()
    project.write('a.ts', 'sub/b.ts')
    const files = list(project)
    await files.all()
    const before = files.current().paths
    files.clock.time = 10_000
    const changed = files.change()
    files.refresh()
    await changed
    expect(files.current().paths).toBe(before)
  })

  test('works after one that was stopped', async () => {
    const project = makeProject()
    project.write('a.ts')
    const files = list(project)
    files.refresh()
    files.stop()
    expect(await files.all()).toEqual(['a.ts'])
  })
})
