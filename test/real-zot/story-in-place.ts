/** The story of a real zot in a place that zotui has started: questions here, work there, and the session after the place was lost. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'vitest'
import { hold, reply, type Model } from '../helpers/model.ts'
import type { Screen } from '../helpers/screen.ts'
import { idle, messagesOf, say, zot } from './talk.ts'

/** Says why there is nothing to test. */
export const noZot = (what: string): void =>
  void (zot === '' && process.stderr.write(`!! SKIPPED: ${what}: ZOTUI_ZOT names no zot\n`))

/** A command that runs until it is stopped, and that no other test has. */
const LONG = `sleep 61${process.pid % 1000}.5`

export const storySteps = [
  reply().tool('bash', { command: 'printf "one\\ntwo\\n" >made; echo $((40 + 2)) there' }),
  reply().text('The file is made.'),
  reply().tool('edit', { path: 'made', edits: [{ oldText: 'two', newText: 'zwei' }] }),
  reply().text('The edit is done.'),
  reply().tool('bash', { command: LONG }),
  reply().text('It begins. ').wait(hold()).text('Never said.'),
  reply().tool('bash', { command: 'cat made; touch last' }),
  reply().text('All is there.'),
]

export type StoryPlace = {
  zotui: Screen
  model: Model
  /** The folder of the work, as it is seen from outside of the place. */
  folder: string
  /** Takes the place away, as a crash or an eviction does. */
  lose: () => void
  /** The command lines of what runs there. */
  running: () => string
}

/** Tells it in `ask` mode, up to an idle agent. */
export async function tellStory({ zotui, model, folder, lose, running }: StoryPlace): Promise<void> {
  const made = join(folder, 'made')
  await say(zotui, 'make a file')
  await zotui.see(/› \d/)
  expect(existsSync(made)).toBe(false)
  await zotui.type('y')
  await zotui.see('The file is made.')
  await idle(zotui)
  expect(JSON.stringify(messagesOf(await model.request(2)).at(-1))).toContain('42 there')
  expect(readFileSync(made, 'utf8')).toBe('one\ntwo\n')

  await say(zotui, 'edit it')
  await zotui.see(/› \d/)
  await zotui.see(/\+ ?zwei/)
  await zotui.type('y')
  await zotui.see('The edit is done.')
  await idle(zotui)
  expect(readFileSync(made, 'utf8')).toBe('one\nzwei\n')

  // It only waits, which is not asked about.
  await say(zotui, 'take your time')
  await expect.poll(running).toContain(LONG)
  await zotui.press('esc')
  await idle(zotui)
  await expect.poll(running).not.toContain(LONG)

  await say(zotui, 'talk at length')
  await zotui.see('It begins.')
  lose()
  await zotui.see('/restart')
  await say(zotui, '/restart')
  await zotui.see('Restarted zot', { timeout: 60_000 })
  await say(zotui, 'what is there?')
  await zotui.see(/› \d/)
  await zotui.type('y')
  await zotui.see('All is there.')
  await idle(zotui)
  const last = JSON.stringify(messagesOf(await model.request(8)))
  for (const words of ['make a file', 'The file is made.', 'The edit is done.', 'talk at length', 'one\\nzwei'])
    expect(last).toContain(words)
  expect(existsSync(join(folder, 'last'))).toBe(true)
  expect(zotui.history().join('\n')).not.toContain('Never said')
}
