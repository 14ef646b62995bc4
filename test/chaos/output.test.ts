/** Without the UI: whoever reads the answer reads late, or never. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { environment, makeHome } from '../helpers/home.ts'
import { installZot, logged, program } from '../stories/stage.ts'

/** zotui has had a long answer, and prints it into a pipe that is read only where the test does. */
async function printed() {
  const home = makeHome()
  const zotui = spawn(process.execPath, [program, '-p', '--json', '2500 lines'], {
    cwd: home.project,
    env: environment(home.path, { ZOTUI_ZOT: installZot(home, 'chaos') }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(zotui, 'exit')
  onTestFinished(async () => {
    zotui.kill('SIGKILL')
    await ended
    home.remove()
  })
  await expect.poll(() => logged(home).includes('turn_ended'), { timeout: 15_000 }).toBe(true)
  return { zotui, ended }
}

test('a late reader gets the whole output', async () => {
  const { zotui, ended } = await printed()
  const lines = (await text(zotui.stdout)).trimEnd().split('\n')
  expect(lines.filter(line => line.includes('text_received') && line.includes('and more words'))).toHaveLength(2500)
  expect(lines.map(line => (JSON.parse(line) as { type: string }).type)).toContain('turn_ended')
  expect(await ended).toEqual([0, null])
})

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s ends a program whose output is never read, within its time', async (signal, exitCode) => {
  const { zotui, ended } = await printed()
  const began = performance.now()
  zotui.kill(signal)
  expect(await ended).toEqual([exitCode, null])
  // Without its limit it would wait for ever.
  expect(performance.now() - began).toBeLessThan(15_000)
})
