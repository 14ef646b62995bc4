/** /find: what was said in other sessions is found, read where it was said, and gone on from. */
import { expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, homeAfter, openEcho, openZot, send } from './stage.ts'

/** A home with a session of three turns. */
const homeWithPast = homeAfter(async home => {
  const zotui = await openEcho({ home })
  for (const words of ['where is the blue lantern', 'what of the green door', 'and the red boat']) {
    await send(zotui, words)
    await zotui.see(`You said: ${words}`)
  }
  await zotui.close()
})

async function searching(
  words: string,
  { columns = 80, ...options }: { columns?: number; home?: Home } = {},
): Promise<Screen> {
  const zotui = await openEcho({ home: await homeWithPast(), columns, ...options })
  await send(zotui, '/find')
  await zotui.see('Type what was said')
  await zotui.type(words)
  return zotui
}

test('finds as one types, shows the place in its session, and comes back', async () => {
  const zotui = await searching('green do')
  await zotui.see(/where is the blue lantern +answer +zot/)
  await zotui.see('You said: what of the green door.')
  await zotui.press('enter')
  await zotui.see(/where is the blue lantern.*match 1 of 2 for green do/s)
  expect(zotui.screen().join('\n')).toContain('and the red boat')
  await zotui.press('esc')
  await zotui.press('esc')
  await zotui.see(/find {2}green do/)
  await zotui.press('esc')
  await zotui.see(/zotui \S+ +zot 0\.3\.36/)
  await expectDraft(zotui, '')
})

test('Tab narrows it to prompts; nothing found is said', async () => {
  const zotui = await searching('green kind:file')
  await zotui.see('Nothing found.')
  await zotui.press('ctrl+u')
  await zotui.type('green')
  await zotui.press('tab')
  await zotui.see(/\[prompts\]/)
  await zotui.see(/^ {4}what of the green door$/m)
  await zotui.gone(/You said/)
  await zotui.type(' folder:elsewhere')
  await zotui.see('Nothing found.')
  await zotui.press('ctrl+w')
  await zotui.type('folder:project')
  await zotui.see('1 found')
})

test('Alt+Enter asks, and forks the session after that turn', async () => {
  const zotui = await searching('green door')
  await zotui.see('You said: what of the green door.')
  await zotui.press('alt+enter')
  await zotui.see('go on from turn 2 of 3')
  await zotui.press('enter')
  await zotui.see('This is a fork after "what of the green door"')
  await send(zotui, 'hello')
  await zotui.see(/Before, you said where is the blue lantern, then what of the\s+green door\./)
})

test('Alt+Enter at the end of a session resumes it', async () => {
  const zotui = await searching('red boat')
  await zotui.see('You said: and the red boat.')
  await zotui.press('alt+enter')
  await zotui.see('Resumed the session: 3 turns')
})

test('Ctrl+Y takes the passage into the draft, behind what is there', async () => {
  const zotui = await openEcho({ home: await homeWithPast() })
  await send(zotui, '/find lantern kind:prompt')
  await zotui.see('1 found')
  await zotui.press('ctrl+y')
  await zotui.see('The passage is in your draft.')
  await zotui.see(/From a prompt in the session "where is the blue lantern"/)
  await zotui.see('> where is the blue lantern')
})

test('all of it fits into 40 columns', async () => {
  const zotui = await searching('green door', { columns: 40 })
  await zotui.see(/\[all\] {2}in all folders/)
  await zotui.see(/what of the green door\.$/m)
  await zotui.see(/Enter shows it.*Esc closes/)
})

test('a screen reader gets a list of what was found, and the part of the session in words', async () => {
  const zotui = await openZot('echo', { home: await homeWithPast(), args: ['--screen-reader'], columns: 120 })
  await zotui.see('Enter sends')
  await zotui.type('/find green door')
  await zotui.press('enter')
  await zotui.see(/for green door, the best first/)
  await zotui.see(/1.*green door/)
  await zotui.press('enter')
  await zotui.see('read it in its session')
  await zotui.press('enter')
  await zotui.see('copy it')
})
