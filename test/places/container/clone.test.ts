/** The clone of a container lies in a folder that the container writes, while zotui works with it. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cloneFolder, containerClone } from '../../../src/places/container/clone.ts'
import { COMMITTER } from '../../helpers/committer.ts'

const NAME = 'zotui-web-01234567'

type Stage = ReturnType<typeof stage>

function stage() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-clone-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [folder, stateFolder] = [join(root, 'app'), join(root, 'state')]
  const env = { PATH: process.env['PATH'], HOME: root }
  const git = (at: string, ...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], { cwd: at, env, encoding: 'utf8' }).trim()
  const repository = (at: string, text: string): void => {
    mkdirSync(at)
    git(at, 'init', '-q', '-b', 'main', '--template=')
    writeFileSync(join(at, 'a.txt'), text)
    git(at, 'add', '-A')
    git(at, 'commit', '-q', '-m', text)
  }
  repository(folder, 'one')
  const own = cloneFolder(stateFolder, NAME)
  const clone = containerClone({ container: NAME, folder, stateFolder, env })
  mkdirSync(own, { recursive: true })
  return { root, folder, own, clone, git, repository }
}

/** The container has done what it is asked for, and `first` besides. */
const container = (first: () => void) => ({
  ask: async () => {
    first()
    return { ok: true as const, code: 0, words: '', bytes: Buffer.alloc(0) }
  },
})

const fillOf = async ({ clone }: Stage) =>
  clone.fill(
    container(() => {}),
    AbortSignal.timeout(20_000),
  )

describe('the clone of a container', () => {
  test('is filled through no link that the container has put there', async () => {
    const made = stage()
    const precious = join(made.root, 'precious')
    writeFileSync(precious, 'precious')
    symlinkSync(precious, join(made.own, '.zotui-in.bundle'))
    await fillOf(made)
    expect(readFileSync(precious, 'utf8')).toBe('precious')
    expect(readFileSync(join(made.own, '.zotui-in.bundle'), 'utf8')).toMatch(/^# v2 git bundle/)
    expect(readdirSync(join(made.root, 'state', 'places'))).toEqual(['clones'])
  })

  test.each([
    [
      'the bundle',
      (own: string, other: string) =>
        symlinkSync(join(other, 'zotui-out.bundle'), join(own, '.git', 'zotui-out.bundle')),
    ],
    [
      'the folder of git',
      (own: string, other: string) => {
        rmSync(join(own, '.git'), { recursive: true })
        symlinkSync(other, join(own, '.git'))
      },
    ],
  ])('brings back nothing of another folder: a link as %s', async (_what, link) => {
    const { root, folder, own, clone, git, repository } = stage()
    const other = join(root, 'other')
    repository(other, 'secret')
    git(other, 'update-ref', 'refs/zotui/out', 'HEAD')
    git(other, 'bundle', 'create', '-q', 'zotui-out.bundle', 'refs/zotui/out')
    mkdirSync(join(own, '.git'))
    const back = await clone.bringBack(container(() => link(own, other)))
    expect(back.ok).toBe(false)
    expect(back.words).toContain('did not come back')
    expect(git(folder, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
    expect(existsSync(own)).toBe(true)
  })

  test('brings back its commits as a branch, and is gone', async () => {
    const { root, folder, own, clone, git } = stage()
    git(root, 'clone', '-q', folder, join(root, 'state', 'work'))
    const work = join(root, 'state', 'work')
    git(work, 'commit', '-q', '--allow-empty', '-m', 'there')
    git(work, 'update-ref', 'refs/zotui/out', 'HEAD')
    mkdirSync(join(own, '.git'))
    const pack = (): void =>
      void git(
        work,
        'bundle',
        'create',
        '-q',
        join(own, '.git', 'zotui-out.bundle'),
        'refs/zotui/out',
        '--not',
        'origin/main',
      )
    const back = await clone.bringBack(container(pack))
    expect(back.words).toContain('is the branch zotui/web-01234567 now')
    expect(git(folder, 'log', '-1', '--format=%s', 'zotui/web-01234567')).toBe('there')
    expect(existsSync(own)).toBe(false)
    expect(readdirSync(join(root, 'state', 'places'))).toEqual(['clones'])
  })
})
