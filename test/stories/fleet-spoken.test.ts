/** The board, a race and a move for who hears the terminal: each change is said once, in words. */
import { expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { openDemo } from './stage.ts'

async function say(zotui: Screen, text: string): Promise<void> {
  await zotui.type(text)
  await zotui.see(new RegExp(`^> .*${text}$`, 'm'))
  await zotui.press('enter')
}

const open = (): Promise<Screen> => openDemo({ rows: 120, columns: 110, args: ['--screen-reader'] })

/** How often a line stands there. */
const times = (zotui: Screen, line: string): number =>
  zotui
    .screen()
    .map(row => row.trim())
    .filter(row => row === line).length

test('a race says what it may cost, then each change of each who runs once, and what can be done', async () => {
  const zotui = await open()
  await say(zotui, '/race claude,codex,zot count graphemes')
  await zotui.see(/claude +about \$/)
  await zotui.see('2. Begin the race')
  await zotui.type('2')
  await zotui.press('enter')
  await zotui.see('zot: waits for a turn')
  await zotui.see('claude: working')
  // Looked at a second time, nothing is said twice.
  await zotui.see('1. close this list')
  await zotui.press('esc')
  await say(zotui, '/race')
  await zotui.see(/codex: check exit 1[^]*zot: check ok/)
  const lines = ['claude', 'codex', 'zot'].flatMap(name => [`${name}: done`, `${name}: check runs`])
  for (const line of [...lines, 'claude: check ok', 'codex: check exit 1', 'zot: check ok'])
    expect([line, times(zotui, line)]).toEqual([line, 1])
  await zotui.close()
})

test('a move says each of its steps once, and no share of what is sent', async () => {
  const zotui = await open()
  await say(zotui, '/move build')
  await zotui.see(/Goes along:[^]*Stays here:[^]*There: [^]*Here: /)
  await zotui.see('2. Move it')
  await zotui.type('2')
  await zotui.press('enter')
  await zotui.see(/Moved to ssh:build:/)
  for (const step of ['Connecting to', 'Looking at what would go…', 'Sending it to', 'Starting claude on']) {
    const line = step.endsWith('…') ? step : `${step} ssh:build…`
    expect([line, times(zotui, line)]).toEqual([line, 1])
  }
  expect(zotui.screen().join('\n')).not.toMatch(/\d %/)
  await zotui.close()
})

test('the board names all machines, and what is wrong with one', async () => {
  const zotui = await open()
  await say(zotui, '/board')
  await zotui.see('5 conversations.')
  await zotui.see('ssh:arm is lost: No route to host.')
  await zotui.see(/Release the next version: asks you, ssh:build/)
  await zotui.see(/answer Release the next version/)
  await zotui.close()
})
