/** What a command prints, and how it ends, decides nothing about what it has left. */
import { canBox } from '../helpers/can-box.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runShell } from '../../src/platform/shell/run.ts'
import { heldPlaces, whyAskFirst, whyNoGit } from '../../src/platform/held-places.ts'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import { createCommandBoxes, type SandboxRules } from '../../src/sandbox/command-boxes.ts'
import { reportOf } from '../../src/sandbox/report.ts'
import { makeHome } from '../helpers/home.ts'

const unusable = [
  ['a name that is too long', `/srv/${'a'.repeat(300)}`],
  ['a path that is too long', `/srv${'/a'.repeat(3000)}`],
  ['a NUL', '/srv/a\0b'],
] as const

test.each(unusable)('a refusal that names %s offers no folder', (_, path) => {
  const output = `touch: cannot touch '${path}': Read-only file system`
  const place = { folder: '/srv/project', env: {}, writable: [], hasNetwork: true, hosts: [], leftAtHome: [] }
  expect(reportOf({ exitCode: 1, output, endedOthers: false }, place).refused?.path ?? null).toBe(null)
})

function boxes() {
  const home = makeHome()
  listUnfinishedIn(join(home.path, 'state'))
  onTestFinished(() => home.remove())
  const rules: SandboxRules = { level: 'closed', write: [], hosts: [], hide: [] }
  const env = { ...process.env, HOME: home.path }
  const made = createCommandBoxes({
    level: () => 'closed',
    rules: () => rules,
    cachesOf: () => join(home.path, 'caches'),
  })
  const folder = home.project
  return {
    made,
    folder,
    run: async (command: string) => {
      const opened = await made.open({ folder, env, ask: async () => 'no' })
      const { box } = opened
      const run = runShell({ command, cwd: folder, env, shell: '/bin/sh', box, limitBytes: 65_536, onOutput() {} })
      const { exitCode, output } = await run.done
      return opened.close({ exitCode, output, endedOthers: false })
    },
  }
}

describe.skipIf(!canBox)('what a command has left', () => {
  test.each(unusable.slice(0, 2))('is held where its output names %s', async (_, path) => {
    const { run, folder } = boxes()
    const { left } = await run(`touch .envrc; echo "touch: cannot touch '${path}': Read-only file system"; exit 1`)
    expect(left?.places).toMatchObject([{ path: join(folder, '.envrc') }])
    expect(heldPlaces(folder).list()).toHaveLength(1)
  })

  test('is asked about again after the next command, which asks, too', async () => {
    const { made, run, folder } = boxes()
    const { left: first } = await run('touch .envrc')
    expect(whyAskFirst(folder)).toContain('.envrc')
    const { left } = await run('touch plain.txt')
    expect(left).toEqual(first)
    expect(await made.answerLeft({ folder, places: left?.places ?? [] }, 'keep')).toEqual([])
    expect([(await run('true')).left, whyNoGit([folder])]).toEqual([undefined, null])
  })

  test('is looked at before zotui ends', async () => {
    const { made, run, folder } = boxes()
    const ran = run('touch .envrc; sleep 0.3')
    await vi.waitFor(() => expect(readdirSync(folder)).toContain('.envrc'))
    await made.close()
    expect(heldPlaces(folder).list()).toMatchObject([{ path: join(folder, '.envrc') }])
    await ran
  })
})
