/** For who hears the terminal: everything in words, below all that is there. */
import { afterEach, describe, expect, test } from 'vitest'
import type { OpenOptions, Screen } from '../helpers/screen.ts'
import { openDemo, openZot } from './stage.ts'

const opened: Screen[] = []

async function openSpoken(options: OpenOptions = {}): Promise<Screen> {
  const zotui = await openDemo({ rows: 60, ...options, args: ['--screen-reader', ...(options.args ?? [])] })
  opened.push(zotui)
  return zotui
}

async function say(zotui: Screen, text: string): Promise<void> {
  await zotui.type(text)
  await zotui.see(new RegExp(`^> .*${text}$`, 'm'))
  await zotui.press('enter')
}

/** What may be written besides text: line ends, colours, modes, questions, and what has no place on the screen. */
const HARMLESS =
  /\r?\n|\u001B\[[\d;:]*m|\u001B\[[?>=<][\d;]*[hlucqnm]|\u001B\[c|\u001B\[\?\d+\$p|\u001BP\$qm\u001B\\|\u001B\[2[23];2t|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/g

/** Nothing moves the cursor back, erases, or draws over what stands there. */
function assertAppendsOnly(zotui: Screen): void {
  const left = zotui.bytes().toString('utf8').replaceAll(HARMLESS, '')
  const found = /[\u0000-\u001F\u007F-\u009F].{0,10}/.exec(left)
  if (found) throw new Error(`wrote ${JSON.stringify(found[0])}`)
}

afterEach(() => {
  for (const zotui of opened.splice(0)) assertAppendsOnly(zotui)
})

describe('with --screen-reader', () => {
  test('a conversation is written line by line', async () => {
    const zotui = await openSpoken()
    await say(zotui, 'tour')
    await zotui.see('thinking')
    await zotui.see('running bash')
    await say(zotui, '/settings detail full')
    await zotui.see('detail is full now.')
    expect(zotui.history().join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏●✗›]/)
  })

  test('a draft is written as it is typed, and anew below after any other change', async () => {
    const zotui = await openSpoken()
    await zotui.type('helo')
    await zotui.see(/^> helo$/m)
    await zotui.press('backspace')
    await zotui.see(/^> hel$/m)
    await zotui.type('lo')
    await zotui.see(/^> hello$/m)
    await zotui.press('left')
    await zotui.see(/^> hell\|o$/m)
  })

  test('a list has numbers, which choose', async () => {
    const zotui = await openSpoken()
    await say(zotui, '/settings detail')
    await zotui.see(/^detail/m)
    await zotui.see(/^1\. names$/m)
    await zotui.see(/^2\. short, in use, default$/m)
    await zotui.see('Number and Enter')
    await zotui.type('3')
    await zotui.see(/^3\. full/m)
    await zotui.press('enter')
    await zotui.see('detail is full now.')
  })

  test('no row of a list is cut', async () => {
    const zotui = await openSpoken()
    await say(zotui, '/settings')
    await zotui.see(/^10\. promptMarks/m)
    expect(zotui.history().join('\n')).not.toContain('...')
    expect(zotui.history().join('')).toContain('the name of a theme, or the path of a theme file.')
  })

  test('tables are read row by row', async () => {
    const zotui = await openSpoken()
    await say(zotui, 'markdown')
    await zotui.see(/^ready$/m)
    expect(zotui.history().join('\n')).not.toMatch(/---/)
  })

  test('what comes while one types does not lose the draft', async () => {
    const zotui = await openSpoken()
    await say(zotui, 'tour')
    await zotui.see('running bash')
    await zotui.type('next')
    await zotui.see(/^> next$/m)
    await zotui.press('enter')
    await zotui.see(/^1 queued$/m)
    await zotui.press('esc')
    await zotui.see('stopping')
    await zotui.see(/^1 held$/m)
  })

  test('/doctor asks what it can without moving the cursor', async () => {
    const zotui = await openSpoken()
    await say(zotui, '/doctor')
    await zotui.see(/ok +kitty keys|note +kitty keys/)
    await zotui.see('not measured, since that moves the cursor')
  })

  test('the agent that ends is said', async () => {
    const zotui = await openZot('gated', { args: ['--screen-reader'] })
    opened.push(zotui)
    await zotui.see('starting')
    await zotui.press('ctrl+d')
    await zotui.exit()
  })
})
