/** For who hears the terminal: everything in words, below all that is there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { share, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { turnEnd, turnEndAfter } from '../helpers/turn-end.ts'
import { openDemo, openZot, startAfresh } from './stage.ts'

const opened: Screen[] = []

async function openSpoken(options: OpenOptions = {}): Promise<Screen> {
  const zotui = await openDemo({ rows: 60, ...options, args: ['--screen-reader', ...(options.args ?? [])] })
  opened.push(zotui)
  return zotui
}

const shared = share(() => openSpoken({ env: { EDITOR: 'true' } }), startAfresh)

/** A program that several tests share: the first sees its usage, and the last leaves a turn behind. */
async function spoken(): Promise<Screen> {
  const zotui = await shared()
  opened.push(zotui)
  return zotui
}

async function say(zotui: Screen, text: string): Promise<void> {
  await zotui.type(text)
  await zotui.see(new RegExp(`^> .*${text}$`, 'm'))
  await zotui.press('enter')
}

/** Everything that may be written besides text: line ends, colours, modes, questions, and what has no place on the screen. */
const HARMLESS =
  /\r?\n|\u001B\[[\d;:]*m|\u001B\[[?>=<][\d;]*[hlucqnm]|\u001B\[c|\u001B\[\?\d+\$p|\u001BP\$qm\u001B\\|\u001B\[2[23];2t|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)/g

/** A sequence whose end has not been read. */
const UNFINISHED = /\u001B(?:\[[?>=<]?[\d;]*|[\]P][^\u0007\u001B]*)?$/

/** Nothing moves the cursor back, erases, or draws over what stands there. */
async function assertAppendsOnly(zotui: Screen): Promise<void> {
  // A read may end anywhere, and a test as soon as it has seen its last words.
  await zotui.until('the end of a sequence', { check: () => !UNFINISHED.test(zotui.bytes().toString('latin1')) })
  const left = zotui.bytes().toString('utf8').replaceAll(HARMLESS, '')
  const found = /[\u0000-\u001F\u007F-\u009F].{0,10}/.exec(left)
  if (found) throw new Error(`wrote ${JSON.stringify(found[0])}`)
}

afterEach(async () => {
  for (const zotui of opened.splice(0)) await assertAppendsOnly(zotui)
})

describe('with --screen-reader', () => {
  test('a conversation is written line by line, and its output does not lose the draft', async () => {
    const zotui = await openSpoken({ env: { ZOTUI_DEMO_SPEED: '4' } })
    await say(zotui, 'tour')
    await zotui.see('thinking')
    await zotui.see('running bash')
    await zotui.type('next')
    await zotui.see(/^> next$/m)
    await zotui.press('enter')
    await zotui.see(/^1 queued$/m)
    await say(zotui, '/settings detail full')
    await zotui.see('detail is now full.')
    await zotui.press('esc')
    await zotui.see('stopping')
    await zotui.see(/^1 paused$/m)
    expect(zotui.history().join('\n')).not.toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏●✗›]/)
  })

  test('/keys debug, an editor, a ! command and /usage work in words', async () => {
    const zotui = await spoken()
    await say(zotui, '/keys debug')
    await zotui.press('alt+k')
    await zotui.see(/^Each key is listed .* but does nothing\. Ct\nrl\+C ends it\.$/m)
    await zotui.see(/^ESC k, alt\+k, compact$/m)
    await zotui.press('ctrl+c')
    await zotui.type('draft')
    await zotui.press('ctrl+g')
    await zotui.see(/^> draft$[\s\S]*^> draft$/m)
    await zotui.press('ctrl+u')
    await say(zotui, '!echo of a command')
    await zotui.see(/^ +of a command$/m)
    await say(zotui, '/usage')
    await zotui.see(/^ +usage of this session\n+ +Turns: 0$/m)
    await say(zotui, '/keys')
    await zotui.see(/^ +does: exit \(\/quit \/q\)$/m)
  })

  test('a draft is written as it is typed, and again below after any other change', async () => {
    const zotui = await spoken()
    await zotui.type('helo')
    await zotui.see(/^> helo$/m)
    await zotui.press('backspace')
    await zotui.see(/^> hel$/m)
    await zotui.type('lo')
    await zotui.see(/^> hello$/m)
    await zotui.press('left')
    await zotui.see(/^> hell\|o$/m)
  })

  test('a number chooses a row of a list', async () => {
    const zotui = await spoken()
    await say(zotui, '/settings detail')
    await zotui.see(/^detail/m)
    await zotui.see(/^1\. names$/m)
    await zotui.see(/^2\. short, in use, default$/m)
    await zotui.see('Number and Enter')
    await zotui.type('3')
    await zotui.see(/^3\. full/m)
    await zotui.press('enter')
    await zotui.see('detail is now full.')
  })

  test('no row of a list is cut', async () => {
    const zotui = await spoken()
    await say(zotui, '/settings')
    await zotui.see(/^10\. \w+, /m)
    expect(zotui.history().join('\n')).not.toContain('...')
    expect(zotui.history().join('')).toContain('the name of a theme, or the path of a theme file.')
  })

  test('tables are read row by row', async () => {
    const zotui = await spoken()
    await say(zotui, 'markdown')
    await zotui.see(/^ready$/m)
    await zotui.see(/^ +unit: bytes$/m)
    expect(zotui.history().join('\n')).not.toMatch(/[|┼+] *-{3}|-{3} *[|┼+]|\|.*\|/)
  })

  test('Tab lists completions with numbers', async () => {
    const zotui = await spoken()
    for (const name of ['one.txt', 'other.txt']) writeFileSync(join(zotui.home.project, name), '')
    await zotui.type('look at @o')
    await zotui.see(/^2 to choose from\. Tab lists them\.$/m)
    await zotui.press('tab')
    await zotui.see(/^1\. one\.txt$/m)
    await zotui.see(/^2\. other\.txt$/m)
    await zotui.type('2')
    await zotui.press('enter')
    await zotui.see(/^> look at @other\.txt $/m)
    await zotui.press('ctrl+u')
    await zotui.type('/re')
    await zotui.press('tab')
    await zotui.see(/^1\. \/resume|^1\. \/re/m)
    await zotui.press('esc')
    await zotui.press('ctrl+u')
    await zotui.type('/theme ')
    await zotui.press('tab')
    await zotui.see(/^2\. dark, calm colours on a dark background$/m)
    await zotui.type('2')
    await zotui.press('enter')
    await zotui.see(/^> \/theme dark$/m)
  })

  test.each([
    ['/theme', /^3\. light/m, '3', 'Switched the theme to light.'],
    ['/reasoning', /^5\. high/m, '5', /high/],
    ['/model', /^2\. demo-small, demo, 32k/m, '2', /demo-small/],
    ['/settings', /^2\. color, true, Use colours/m, '2', /^color$/m],
  ])('%s is a list with numbers', async (command, row, number, done) => {
    const zotui = await spoken()
    await say(zotui, command)
    await zotui.see(row)
    await zotui.type(number)
    await zotui.see(new RegExp(`^${number}\\. [^\\n]*\\n[\\s\\S]*^${number}\\. `, 'm'))
    await zotui.press('enter')
    await zotui.see(done)
    // A list may be what was chosen.
    await zotui.press('esc')
  })

  test('earlier prompts, sessions, turns and questions are lists with numbers', async () => {
    const zotui = await openZot('echo', { rows: 120, args: ['--screen-reader'] })
    opened.push(zotui)
    for (const text of ['first thing', 'second thing']) {
      await say(zotui, text)
      await zotui.see(`You said: ${text}.`)
    }
    await zotui.press('ctrl+r')
    await zotui.see(/^2\. first thing$/m)
    await zotui.type('2')
    await zotui.press('enter')
    await zotui.see(/^> first thing$/m)
    await zotui.press('ctrl+u')
    await say(zotui, '/rewind')
    await zotui.see(/^1\. .*thing/m)
    await zotui.type('1')
    await zotui.press('enter')
    await zotui.see('Back to before "second thing".')
    await zotui.see('Restarted zot.')
    await zotui.see(/^> second thing$/m)
    await zotui.press('enter')
    await zotui.see(/Before, you said first thing\.$/m)
    await say(zotui, '/resume')
    await zotui.see(/^sessions$/m)
    await zotui.see(/^2\. .*2 turns/m)
    await zotui.press('down')
    await zotui.press('ctrl+d')
    await zotui.see(/^1\. Keep it$/m)
    await zotui.see(/^2\. Delete it, this cannot be undone$/m)
    await zotui.type('2')
    await zotui.press('enter')
    await zotui.see(/^sessions$[\s\S]*^sessions$/m)
  })

  test('/doctor does not move the cursor', async () => {
    const zotui = await spoken()
    await say(zotui, '/doctor')
    await zotui.see(/(?:ok|note), kitty keys: /)
    await zotui.see('not measured, since that moves the cursor')
  })

  test('the queue can be edited in words', async () => {
    const zotui = await spoken()
    await say(zotui, 'slow')
    await zotui.see('thinking')
    await say(zotui, 'queued one')
    await zotui.see('1 queued')
    await say(zotui, 'queued two')
    await zotui.see('2 queued')
    await zotui.press('alt+up')
    await zotui.see(/^> queued two$/m)
    await zotui.press('alt+up')
    await zotui.see(/^> queued one$/m)
    await zotui.press('esc', 'esc')
  })

  test('the end of the agent is announced', async () => {
    const zotui = await openZot('gated', { args: ['--screen-reader'] })
    opened.push(zotui)
    await zotui.see('starting')
    await zotui.press('ctrl+d')
    await zotui.exit()
  })
})

const reading = share(async () => {
  const zotui = await openZot('reading', { rows: 200, args: ['--screen-reader'] })
  await zotui.see(/^> $|^>$/m)
  await say(zotui, 'code')
  await zotui.see(turnEnd)
  await say(zotui, 'printing')
  await zotui.see(turnEndAfter(turnEnd))
  return zotui
}, startAfresh)

async function openReading(): Promise<Screen> {
  const zotui = await reading()
  opened.push(zotui)
  await zotui.press('ctrl+o')
  await zotui.see(/^the conversation/m)
  return zotui
}

/** Chooses the row of the last list that has this in it. */
async function choose(zotui: Screen, row: RegExp): Promise<void> {
  const numbered = new RegExp(`^(\\d+)\\. .*${row.source}`, 'm')
  await zotui.see(numbered)
  const number = zotui
    .history()
    .flatMap(line => numbered.exec(line)?.[1] ?? [])
    .at(-1)
  for (const digit of number ?? '') await zotui.type(digit)
  await zotui.press('enter')
}

describe('Ctrl+O', () => {
  test('lists turns and blocks with numbers, and prints the chosen one in full', async () => {
    const zotui = await openReading()
    await zotui.see(/^\d\. turn 2 printing/m)
    await choose(zotui, /turn 2 printing/)
    await zotui.see(/^\d\. .*bash.*print.*tool/m)
    expect(zotui.history()).not.toContain('    printed 20')
    await choose(zotui, /bash/)
    await zotui.see(/^ *printed 20$/m)
    await choose(zotui, /the next/)
    await zotui.see(/^ *Printed\.$/m)
    await choose(zotui, /the other turns/)
    await zotui.see(/^\d\. turn 1 code/m)
    await zotui.press('esc')
    await zotui.type('goes on')
    await zotui.see(/^> goes on$/m)
  })

  test('lists the matching lines, and reads around them', async () => {
    const zotui = await openReading()
    await choose(zotui, /search/)
    await zotui.see(/^search for/m)
    await zotui.type('printed 60')
    await zotui.press('enter')
    await zotui.see('1 line has printed 60')
    await choose(zotui, /printed 60/)
    await zotui.see(/^ *printed 33$/m)
    await zotui.press('esc')
    await zotui.type('goes on')
    await zotui.see(/^> goes on$/m)
  })

  test('copies a block exactly as it was written', async () => {
    const zotui = await openReading()
    await choose(zotui, /turn 1 code/)
    await zotui.see(/^\d\. sh \[2\].*code/m)
    await choose(zotui, /sh \[2\]/)
    await zotui.see(/^\d\. copy it/m)
    await choose(zotui, /copy it/)
    await zotui.see(/the code/)
  })
})
