/** A user uses commands: by their names, their other names, the popup and the keys. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { clearDraft, expectDraft, openDemo, openEcho, openQuickDemo, openZot, send, startAfresh } from './stage.ts'

const demo = share(openQuickDemo, startAfresh)
const tall = share(() => openQuickDemo({ rows: 60 }), startAfresh)
const echo = share(openEcho, startAfresh)

describe('every command and its aliases', () => {
  const rows: [names: string[], see: RegExp][] = [
    [['/help', '/keys', '/hotkeys', '/shortcuts', '/?'], /Ctrl\+J.*new line[\s\S]*\/compact/],
    [['/clear', '/new', '/reset'], /New conversation/],
    [['/compact', '/compress', '/summarize'], /Nothing to compact yet/],
    [['/model', '/models'], /demo-small.*32k/],
    [['/reasoning', '/effort', '/thinking'], /› off +in use/],
    [['/retry'], /no prompt to send again/i],
  ]

  test.each(rows)('%j', async (names, words) => {
    const zotui = await tall()
    const before = occurrences(zotui, words)
    for (const [index, name] of names.entries()) {
      await send(zotui, name)
      await zotui.until(`${name} to be carried out`, {
        check: () => occurrences(zotui, words) > before + (names[0] === '/reasoning' ? 0 : index),
      })
      if (!/^\/(?:model|reasoning)/.test(names[0] ?? '')) continue
      await zotui.press('esc')
      await zotui.gone(words)
      if (name.startsWith('/model')) return
    }
  })

  test.each([['/exit'], ['/quit'], ['/q']])('%s leaves with exit code 0', async name => {
    const zotui = await openDemo()
    await send(zotui, name)
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  })

  test('/restart starts a new zot, and the next prompt includes the conversation', async () => {
    const zotui = await echo()
    await send(zotui, 'remember me')
    await zotui.see('You said: remember me.')
    const [before] = zotui.children()
    await send(zotui, '/restart')
    await zotui.until('another zot', {
      check: () => zotui.children().some(child => child.pid !== before?.pid && /echo/.test(child.command)),
    })
    await zotui.see(/next\s+prompt\s+includes\s+this\s+conversation.*1\s+turn/s)
    await send(zotui, 'hello again')
    await zotui.see('You said: hello again. Before, you said remember me.')
    expect(zotui.history().join('\n')).not.toContain('earlier-conversation')
    await send(zotui, 'and now?')
    await zotui.see('You said: and now?.')
  })

  test('/clear deletes nothing from the screen, and makes the agent forget', async () => {
    const zotui = await demo()
    await sendAndWait(zotui, 'thanks')
    await zotui.see(/ctx \d/)
    await send(zotui, '/clear')
    await zotui.see(/new conversation/i)
    await zotui.gone(/ctx \d/)
    zotui.committedOnce(['▌ thanks', 'You are welcome'])
  })

  test('/retry sends the last prompt again', async () => {
    const zotui = await demo()
    await sendAndWait(zotui, 'thanks a lot')
    await send(zotui, '/retry')
    await zotui.until('the answer twice', { check: () => occurrences(zotui, /You are welcome/) === 2 })
    expect(occurrences(zotui, /^▌ thanks a lot$/m)).toBe(2)
  })

  test('the key of /compact reports what was freed and shows the summary', async () => {
    const zotui = await demo()
    for (const text of ['thanks', 'thanks again', 'tabs']) await sendAndWait(zotui, text)
    await zotui.press('alt+k')
    await zotui.see(/compacting/)
    await zotui.see(/Compacted in \d/)
    await zotui.see(/Goal/)
    await sendAndWait(zotui, 'thanks')
  })

  test('? shows the keys on an empty composer, and is text otherwise', async () => {
    const zotui = await demo()
    await zotui.type('what?')
    await expectDraft(zotui, 'what?')
    await zotui.press('ctrl+u')
    await expectDraft(zotui, '')
    const before = zotui.history()
    for (const back of ['esc', 'q', '?', 'ctrl+c']) {
      await zotui.type('?')
      await zotui.see(/Ctrl\+J[^]*new line/)
      expect(zotui.alternate).toBe(true)
      await zotui.press('end')
      await zotui.see(/^ {2}\/exit +exit/m)
      await zotui.press(back)
      await zotui.until('the screen of the shell', { check: () => !zotui.alternate })
      expect(zotui.history()).toEqual(before)
    }
  })

  test('the output of a command is printed below its name, and a list leaves nothing behind', async () => {
    const zotui = await tall()
    await send(zotui, '/context')
    await zotui.see(/^▌ \/context *\n {2}context: /m)
    await send(zotui, '/restart --what now')
    await zotui.see(/^▌ \/restart --what now *\n✗ \/restart has no --what/m)
    const before = zotui.history().filter(line => line.trim() !== '')
    await send(zotui, '/theme')
    await zotui.see(/^▌ theme/m)
    await zotui.press('esc')
    await zotui.gone(/^▌ theme/m)
    expect(zotui.history().filter(line => line.trim() !== '')).toEqual(before)
    zotui.committedOnce(['▌ /context'])
  })

  test('later messages are not printed as the output of a command', async () => {
    const zotui = await demo()
    await send(zotui, '/raw nonsense')
    await zotui.see(/\/raw/)
    await send(zotui, 'fail')
    await zotui.see('overloaded')
    expect(zotui.history().filter(line => line.startsWith('▌ /')).length).toBeLessThanOrEqual(1)
  })

  test('an unknown command suggests the nearest, leaves the composer empty, and comes back with Up', async () => {
    const zotui = await demo()
    await send(zotui, '/hlep')
    await zotui.see(/no command \/hlep.*\/help/i)
    await expectDraft(zotui, '')
    await zotui.press('up')
    await expectDraft(zotui, '/hlep')
    await zotui.press('ctrl+u')
    await send(zotui, '/xyzzyx')
    await zotui.see(/no command \/xyzzyx/i)
  })
})

describe('the popup', () => {
  test('opens with the slash, filters with each letter, and closes when nothing matches', async () => {
    const zotui = await demo()
    await zotui.type('/')
    for (const name of ['/help', '/clear', '/compact', '/model', '/usage']) await zotui.see(name)
    await zotui.type('co')
    await zotui.see(/\/compact +replace/)
    await zotui.gone(/\/clear/)
    await zotui.type('xq')
    await zotui.gone(/\/compact/)
  })

  test('finds a command by its aliases', async () => {
    const zotui = await demo()
    await zotui.type('/summ')
    await zotui.see(/› \/compact/)
  })

  test('takes arrows to choose, Tab to complete and Enter to run', async () => {
    const zotui = await demo()
    // The commands of files stand at the end of the list, as soon as they are read.
    await zotui.type('/init')
    await zotui.see(/› \/init/)
    await clearDraft(zotui)
    await zotui.type('/')
    await zotui.see(/› \/help/)
    await zotui.press('down')
    await zotui.see(/› \/clear/)
    await zotui.press('up', 'up')
    await zotui.see(/^ {2}command (\d+) of \1 /m)
    await zotui.press('down', 'down', 'tab')
    await expectDraft(zotui, '/clear')
    await zotui.press('enter')
    await zotui.see(/new conversation/i)
  })

  test('Esc closes it and keeps the text', async () => {
    const zotui = await demo()
    await zotui.type('/us')
    await zotui.see(/\/usage +/)
    await zotui.press('esc')
    await zotui.gone(/tokens, cache/)
    await expectDraft(zotui, '/us')
  })

  test('offers the levels of /reasoning', async () => {
    const zotui = await demo()
    await zotui.type('/reasoning hi')
    await zotui.see(/› high/)
    await zotui.press('enter')
    await zotui.see(/demo-large +high/)
  })
})

describe('the model', () => {
  const models = share(openDemo, startAfresh)

  test('Alt+P opens a list to filter, choose and close', async () => {
    const zotui = await models()
    await zotui.type('draft')
    await zotui.press('alt+p')
    await zotui.see(/demo-large .*in use/)
    await zotui.type('small')
    await zotui.gone(/demo-large .*in use/)
    await zotui.type('zzz')
    await zotui.see(/no matching models/)
    await zotui.press('backspace', 'backspace', 'backspace')
    await zotui.see(/› demo-small/)
    await zotui.press('esc')
    await zotui.gone(/› demo-small/)
    await expectDraft(zotui, 'draft')
    await zotui.press('alt+p')
    await zotui.see(/demo-large .*in use/)
    await zotui.press('down', 'enter')
    await zotui.see(/^ +demo +\S*demo-small/m)
    await expectDraft(zotui, 'draft')
  })

  test('/models works, and /model with an id switches at once', async () => {
    const zotui = await models()
    await send(zotui, '/model demo-large')
    await zotui.see(/^ +demo +\S*demo-large/m)
    await send(zotui, '/models')
    await zotui.see(/demo-small +demo +32k/)
    await zotui.press('esc')
    await zotui.gone(/demo-small +demo +32k/)
    await send(zotui, '/model demo-small')
    await zotui.see(/^ +demo +\S*demo-small/m)
    await send(zotui, '/model nope')
    await zotui.see(/unknown model "nope"/i)
    await zotui.see(/^ +demo +\S*demo-small/m)
  })

  test('a model without reasoning says so', async () => {
    const zotui = await models()
    await send(zotui, '/model demo-small')
    await zotui.see(/^ +demo +\S*demo-small/m)
    await zotui.press('alt+t')
    await zotui.see('demo-small has no reasoning level.')
  })

  test('Alt+T cycles through the levels of reasoning', async () => {
    const zotui = await models()
    await send(zotui, '/model demo-large')
    await zotui.see(/^ +demo +\S*demo-large/m)
    for (const level of ['minimum', 'low', 'medium', 'high', 'xhigh', 'max']) {
      await zotui.press('alt+t')
      await zotui.see(new RegExp(`demo-large +${level}`))
    }
    await zotui.press('alt+t')
    await zotui.gone(/demo-large +max/)
  })

  test('a switch waits while the agent works', async () => {
    const zotui = await models()
    await send(zotui, '/model demo-large')
    await zotui.see(/^ +demo +\S*demo-large/m)
    await send(zotui, 'thanks')
    await zotui.press('alt+p')
    await zotui.see(/demo-small/)
    await zotui.press('down', 'enter')
    await zotui.see(/^ +demo +\S*demo-small/m)
    await zotui.see('You are welcome')
  })
})

function occurrences(zotui: Screen, words: RegExp): number {
  return [
    ...zotui
      .history()
      .join('\n')
      .matchAll(new RegExp(words.source.replaceAll('[\\s\\S]*', '[\\s\\S]*?'), 'gm')),
  ].length
}

async function sendAndWait(zotui: Screen, text: string): Promise<void> {
  const turns = () => turnsEnded(zotui.history())
  const before = turns()
  await send(zotui, text)
  await zotui.until(`the turn of "${text}"`, { check: () => turns() > before })
}

describe('/study', () => {
  test('sends a prompt to explore the project', async () => {
    const zotui = await echo()
    await zotui.type('/st')
    await zotui.see(/› \/study \[path\]/)
    await zotui.press('enter')
    await expectDraft(zotui, '/study')
    await zotui.press('enter')
    await zotui.see('You said: Get to know this project before we work on it.')
    await send(zotui, '/study src/app')
    await zotui.see(/You said: Get to know src\/app, a part of this project,\s+before we work on it\./)
  })

  test('takes a file of the project, and waits for the agent', async () => {
    const home = makeHome()
    writeFileSync(join(home.project, 'parser.ts'), '')
    const zotui = await openZot('reading', { home })
    await zotui.see(/anthropic\/sonnet/)
    await send(zotui, 'growing')
    await zotui.see('number 200')
    await zotui.type('/study ./pa')
    await zotui.see(/› parser\.ts/)
    await zotui.press('tab')
    await expectDraft(zotui, '/study parser.ts')
    await zotui.press('enter')
    await zotui.see('1 queued   Alt+Up edits   1 "/study parser.ts"')
    home.remove()
  })
})
