import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { privateFolder } from '../../bin/boot/cache-folder.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { program, quick, run } from '../stories/stage.ts'

const me = process.geteuid?.() ?? 0

function freshFolder(): string {
  const home = makeHome()
  onTestFinished(() => home.remove())
  return home.path
}

/** A folder of the home, with exactly this mode. */
function withMode(path: string, mode: number): string {
  mkdirSync(path)
  chmodSync(path, mode)
  return path
}

describe.skipIf(process.platform === 'win32')('the folder of compiled code', () => {
  test('is created private, with its parents, whatever the umask is', () => {
    const home = freshFolder()
    const before = process.umask(0)
    const found = privateFolder(join(home, 'a', 'b'), me)
    process.umask(before)
    expect(found).toBe(join(home, 'a', 'b'))
    expect(lstatSync(join(home, 'a', 'b')).mode & 0o777).toBe(0o700)
    expect(privateFolder(join(home, 'a', 'b'), me)).toBe(found)
  })

  test.each([
    [0o700, true],
    [0o750, false],
    [0o707, false],
    [0o777, false],
  ])('with mode %o is it used: %s', (mode, isUsed) => {
    const folder = withMode(join(freshFolder(), 'cache'), mode)
    expect(privateFolder(folder, me) !== null).toBe(isUsed)
  })

  test.each([
    [0o700, true],
    [0o755, true],
    [0o775, false],
    [0o777, false],
    // In a sticky folder others cannot rename it.
    [0o1777, true],
  ])('below a folder with mode %o is it used: %s', (mode, isUsed) => {
    const above = withMode(join(freshFolder(), 'above'), mode)
    expect(privateFolder(withMode(join(above, 'cache'), 0o700), me) !== null).toBe(isUsed)
    const deep = join(above, 'between', 'cache')
    expect(privateFolder(deep, me) !== null).toBe(isUsed)
  })

  test('is not used if it is a link', () => {
    const home = freshFolder()
    const real = withMode(join(home, 'real'), 0o700)
    symlinkSync(real, join(home, 'link'))
    expect(privateFolder(join(home, 'link'), me)).toBeNull()
  })

  test('is returned with all links resolved, so that none can be changed afterwards', () => {
    const home = freshFolder()
    withMode(join(home, 'real'), 0o700)
    symlinkSync(join(home, 'real'), join(home, 'link'))
    expect(privateFolder(join(home, 'link', 'cache'), me)).toBe(join(home, 'real', 'cache'))
  })

  test('is judged by its real parent folders', () => {
    const home = freshFolder()
    const open = withMode(join(home, 'open'), 0o777)
    withMode(join(open, 'real'), 0o700)
    symlinkSync(join(open, 'real'), join(home, 'link'))
    expect(privateFolder(join(home, 'link', 'cache'), me)).toBeNull()
  })

  test('is not used if it belongs to somebody else', () => {
    const folder = withMode(join(freshFolder(), 'cache'), 0o700)
    expect(privateFolder(folder, me + 1)).toBeNull()
  })

  test.runIf(me === 0)('below a folder of somebody else is not used', () => {
    const above = withMode(join(freshFolder(), 'above'), 0o755)
    withMode(join(above, 'cache'), 0o700)
    chownSync(above, 12_345, 12_345)
    expect(privateFolder(join(above, 'cache'), me)).toBeNull()
    expect(privateFolder(join(above, 'new', 'cache'), me)).toBeNull()
    expect(existsSync(join(above, 'new'))).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('the program', () => {
  test('compiles into the user’s cache and not into the shared temporary folder', async () => {
    const home = freshFolder()
    const [temporary, cache] = [withMode(join(home, 'temporary'), 0o700), join(home, 'cache')]
    const env = { TMPDIR: temporary, XDG_CACHE_HOME: cache }
    expect((await run(['--help'], { env })).code).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(join(cache, 'zotui', 'compiled'), { recursive: true }).length).toBeGreaterThan(1)
    expect(lstatSync(join(cache, 'zotui', 'compiled')).mode & 0o777).toBe(0o700)
  })

  test.each([
    [['fix', 'it'], 'ui'],
    [['-p', 'fix it'], 'p'],
    [['sessions'], 'command'],
  ])('%j uses the compiled code of its kind of start', async (args, kind) => {
    const zotui = await open({
      args: [...args, '--demo'],
      env: ({ path }) => ({ ...quick, XDG_CACHE_HOME: join(path, 'cache') }),
    })
    await (kind === 'ui' ? zotui.see('demo-large') : zotui.exit())
    const kinds = readdirSync(join(zotui.home.path, 'cache', 'zotui', 'compiled'))
    expect(kinds).toEqual([`${process.version}-${process.arch}-${kind}`])
  })

  test('runs without a cache if somebody else could write to it', async () => {
    const home = freshFolder()
    const [temporary, cache] = [withMode(join(home, 'temporary'), 0o700), withMode(join(home, 'cache'), 0o777)]
    const env = { TMPDIR: temporary, XDG_CACHE_HOME: cache }
    expect((await run(['--help'], { env })).code).toBe(0)
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(cache)).toEqual([])
  })

  test('runs without a cache if a variable names a relative folder', async () => {
    const folder = freshFolder()
    const env = environment(folder, { XDG_CACHE_HOME: 'cache' })
    await execa(process.execPath, [program, '--help'], { cwd: folder, env, extendEnv: false })
    expect(readdirSync(folder)).toEqual(['project'])
  })
})
