/** A stranger's project, or an accident, has a pipe or a device where a file is expected. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { alive } from '../helpers/processes.ts'
import { open } from '../helpers/screen.ts'
import { exitAtRest, lastingHome, openZot, run, send } from './stage.ts'

/** The time, in milliseconds, for which a file that never answers may hold anything up. */
const SOON = 15_000

type Odd = 'pipe' | 'device'

/** A project with one file, in a repository or not, and what stands at `paths` below the home. */
function homeWithOdd(paths: readonly string[], odd: Odd, isRepository: boolean): Home {
  const home = lastingHome()
  writeFileSync(join(home.project, 'found.txt'), 'here')
  if (isRepository) execFileSync('git', ['init', '--quiet', '--template=', home.project])
  const files = paths.map(path => join(home.path, path))
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    rmSync(file, { force: true, recursive: true })
    if (odd === 'device') symlinkSync('/dev/zero', file)
  }
  if (odd === 'pipe') execFileSync('mkfifo', files)
  return home
}

describe.skipIf(process.platform === 'win32')('instead of a file', () => {
  // Each row is one start; none of its files keeps zotui from reading the others.
  test.each<[paths: string[], Odd, boolean]>([
    [
      [
        'project/.gitignore',
        'project/AGENTS.md',
        '.config/zotui/keys.json',
        '.config/zotui/themes/own.json',
        '.local/state/zotui/recent-models.json',
      ],
      'pipe',
      false,
    ],
    [['project/.gitignore', '.config/zotui/keys.json'], 'device', false],
    [['project/.gitignore', 'project/.zotui/config.json', 'project/.zotui/commands/fix.md'], 'pipe', true],
    [['project/.git/HEAD'], 'pipe', true],
    [['project/.git/HEAD'], 'device', true],
    [['project/.git', '.config/zotui/config.json'], 'pipe', false],
  ])(
    '%j is a %s: zotui starts, lists files, answers and ends (in a repository: %s)',
    async (paths, odd, isRepository) => {
      const home = homeWithOdd(paths, odd, isRepository)
      const zotui = await openZot('echo', { home })
      await zotui.see(/anthropic\/sonnet/, { timeout: SOON })
      await zotui.type('@fou')
      // Git itself waits for a pipe; it is done without once that has gone on for ten seconds.
      await zotui.see('found.txt')
      await zotui.press('esc', 'ctrl+u')
      await send(zotui, 'hello')
      await zotui.see('You said: hello')
      const children = zotui.children()
      await exitAtRest(zotui)
      expect(await zotui.exit({ timeout: SOON })).toEqual({ code: 0, signal: null })
      await expect.poll(() => children.filter(alive), { timeout: 3000 }).toEqual([])
    },
    40_000,
  )

  test.each(['project/.gitignore', 'project/.git/HEAD'])(
    'a pipe at %s blocks git, and leaving ends git as well',
    async path => {
      const zotui = await open({ home: homeWithOdd([path], 'pipe', true), args: ['--demo'] })
      await zotui.see('demo-large', { timeout: SOON })
      await zotui.type('@fou')
      const gits = () => zotui.children().filter(({ command }) => command.includes('ls-files'))
      await zotui.until('git to wait', { check: () => gits().length > 0 })
      const waiting = gits()
      await zotui.press('ctrl+u', 'ctrl+d')
      expect(await zotui.exit({ timeout: SOON })).toEqual({ code: 0, signal: null })
      await expect.poll(() => waiting.filter(alive), { timeout: 3000 }).toEqual([])
    },
  )

  test.each([
    ['replay', 2, 'is a pipe, not a file'],
    ['import', 1, 'is a pipe, not a file'],
  ])('zotui %s reports it in one line', async (command, exitCode, words) => {
    const home = homeWithOdd(['pipe'], 'pipe', false)
    const { code, stderr } = await run([command, join(home.path, 'pipe')])
    expect(code).toBe(exitCode)
    expect(stderr).toContain(words)
  })
})
