/** A user talks: sends, queues, recalls, pastes. */
import { describe, expect, test } from 'vitest'
import { share } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { expectCaret, expectDraft, letGo, openDemo, openEcho, openZot, send, startAfresh } from './stage.ts'

const demo = share(openDemo, startAfresh)
const zot = share(openEcho, startAfresh)

describe('Enter', () => {
  test('sends the prompt, streams the answer, and prints its facts below', async () => {
    const zotui = await demo()
    await zotui.type('many thanks')
    await expectDraft(zotui, 'many thanks')
    await zotui.press('enter')
    await expectDraft(zotui, '')
    await zotui.see(/^▌ many thanks$/m)
    await zotui.see(/thinking .*Esc stops/)
    await zotui.see('You are welcome')
    await zotui.see(/^ {2}\d\d:\d\d {3}\d+\.\ds {3}\$\d/m)
    await zotui.gone(/thinking|answering/)
    await zotui.see(/demo-large +all allowed +ctx \d+ % +↑\S+ ↓\d+.*\$0\.\d+/)
    zotui.committedOnce(['▌ many thanks', 'You are welcome'])
  })

  test('queues before hello, and sends with the hello', async () => {
    const zotui = await openZot('gated')
    await zotui.see(/starting zot/)
    await send(zotui, 'good morning')
    await zotui.see(/1 queued.*good morning/)
    letGo(zotui, 'hello')
    await zotui.see('You said: good morning.')
    await zotui.gone(/queued/)
    zotui.committedOnce(['▌ good morning'])
  })

  test('queues while the agent works, and sends in order', async () => {
    const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' } })
    await send(zotui, 'retry')
    await zotui.see(/(thinking|answering) .*Esc stops/)
    await send(zotui, 'thanks one')
    await zotui.see(/1 queued/)
    await zotui.type('thanks two')
    await zotui.see(/Enter queues/)
    await zotui.press('tab')
    await zotui.see(/2 queued.*1 "thanks one".*2 "thanks two"/)
    await zotui.see(/^▌ thanks two$/m)
    await zotui.gone(/queued/)
    await zotui.until('three turns', { check: () => turns(zotui.history()) === 3 })
    const prompts = zotui.history().filter(line => /^▌ \w/.test(line))
    expect(prompts).toEqual(['▌ retry', '▌ thanks one', '▌ thanks two'])
  })

  test('does nothing on an empty composer', async () => {
    const zotui = await demo()
    await zotui.press('enter')
    await zotui.type('  ')
    await expectCaret(zotui, 2)
    await zotui.press('enter')
    await zotui.type('thanks')
    await expectDraft(zotui, '  thanks')
    expect(zotui.history().filter(line => /^▌ \S/.test(line))).toEqual([])
  })

  test('sends a path, and an unknown command after a space, as text', async () => {
    const zotui = await zot()
    await send(zotui, '/etc/hosts is what?')
    await zotui.see('You said: /etc/hosts is what?.')
    await send(zotui, ' /nope')
    await zotui.see(/You said: +\/nope\./)
  })
})

describe('the queue', () => {
  test('returns its newest message with Up, and is edited in place with Alt+Up', async () => {
    const zotui = await openDemo()
    await send(zotui, 'slow')
    await send(zotui, 'one')
    await send(zotui, 'two')
    await send(zotui, 'three')
    await zotui.see(/3 queued/)
    await zotui.press('up')
    await expectDraft(zotui, 'three')
    await zotui.see(/2 queued/)
    await zotui.press('alt+up')
    await expectDraft(zotui, 'two')
    await zotui.see(/2 queued.*1 "one".*2 being edited/)
    await zotui.type('!')
    await expectDraft(zotui, 'two!')
    await zotui.press('enter')
    await zotui.see(/2 queued.*1 "one".*2 "two!"/)
    await expectDraft(zotui, 'three')
  })

  test('is what Up edits while something is typed, so that no message is sent twice', async () => {
    const zotui = await openZot('gated')
    await zotui.see(/starting zot/)
    await send(zotui, 'one')
    await send(zotui, 'two')
    await zotui.type('unsent')
    await zotui.press('up')
    await expectDraft(zotui, 'two')
    await zotui.see(/2 queued   Enter puts it back.*1 "one".*2 being edited/)
    await zotui.press('up', 'up')
    await expectDraft(zotui, 'one')
    await zotui.see(/This is the first message of the queue/)
    await zotui.press('enter')
    await zotui.see(/2 queued.*1 "one".*2 "two"/)
    await expectDraft(zotui, 'unsent')
    letGo(zotui, 'hello')
    await zotui.see('You said: two.')
    await zotui.gone(/queued/)
    zotui.committedOnce(['▌ one', '▌ two'])
    await expectDraft(zotui, 'unsent')
  })

  test('is edited when one of its messages is taken from the search', async () => {
    const zotui = await openZot('gated')
    await zotui.see(/starting zot/)
    await send(zotui, 'one')
    await send(zotui, 'two')
    await zotui.press('ctrl+r')
    await zotui.type('one')
    await zotui.see(/› one/)
    await zotui.press('enter')
    await expectDraft(zotui, 'one')
    await zotui.see(/2 queued.*1 being edited.*2 "two"/)
    await zotui.type('!')
    await zotui.press('enter')
    await zotui.see(/2 queued.*1 "one!".*2 "two"/)
  })

  test('says what Enter does while it is paused and something is typed', async () => {
    const zotui = await openDemo()
    await send(zotui, 'slow')
    await zotui.see(/thinking|answering|running/)
    await send(zotui, 'one')
    await zotui.see(/1 queued/)
    await zotui.press('esc')
    await zotui.see(/1 paused   Enter sends it/)
    await zotui.type('thanks')
    await zotui.see(/1 paused   Enter sends only your text/)
    await zotui.press('enter')
    await zotui.see('You are welcome')
    await zotui.see(/1 paused   Enter sends it.*1 "one"/)
  })

  test('takes commands, too', async () => {
    const zotui = await demo()
    await send(zotui, 'thanks')
    await send(zotui, '/clear')
    await zotui.see(/1 queued.*\/clear/)
    await zotui.see(/new conversation/i)
    await zotui.gone(/queued/)
  })
})

describe('history', () => {
  test('Up and Down step through it, and the unsent draft stays at its end', async () => {
    const zotui = await openEcho()
    for (const text of ['first', 'second']) {
      await send(zotui, text)
      await zotui.see(`You said: ${text}.`)
    }
    await zotui.type('unsent')
    for (const [key, text] of [
      ['up', 'second'],
      ['up', 'first'],
      ['up', 'first'],
      ['down', 'second'],
      ['down', 'unsent'],
      ['down', 'unsent'],
    ] as const) {
      await zotui.press(key)
      await expectDraft(zotui, text)
    }
  })

  test('Up moves within a recalled prompt of several lines first', async () => {
    const zotui = await zot()
    await zotui.type('top')
    await zotui.press('ctrl+j')
    await send(zotui, 'bottom')
    await zotui.see(/You said: top\s+bottom/)
    await zotui.press('up')
    await expectDraft(zotui, 'bottom')
    await zotui.press('up')
    await expectDraft(zotui, 'top')
    await zotui.press('down', 'down')
    await expectDraft(zotui, '')
  })
})

describe('pasting', () => {
  test('pasted lines are one draft, and only Enter sends it', async () => {
    const zotui = await zot()
    await zotui.paste('one\ntwo\nthree')
    await zotui.see(/▌ one\n▌ two\n▌ three\n/)
    await expectDraft(zotui, 'three')
    expect(zotui.history().join('\n')).not.toContain('You said')
    await zotui.press('enter')
    await zotui.see(/You said: one\s+two\s+three\./)
  })

  test('pasted control characters do nothing', async () => {
    const zotui = await demo()
    await zotui.paste('safe\u0003\u0004\u001B[2J text')
    await zotui.see(/▌ safe.* text/)
  })

  test('a paste without bracketed paste mode works', async () => {
    const zotui = await demo()
    await zotui.raw('one\rtwo\rthree')
    await zotui.see(/▌ one\n▌ two\n▌ three\n/)
  })
})

function turns(rows: readonly string[]): number {
  return turnsEnded(rows)
}
