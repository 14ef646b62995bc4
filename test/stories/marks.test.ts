/** Places that a user marked are found again, and a session shows what came from it. */
import { expect, test } from 'vitest'
import { readRecording } from '../helpers/recording.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { eventsOf } from '../recordings/playing.ts'
import { sessionFile } from '../replay/sessions.ts'
import { expectDraft, lastingHome, openIn, send } from './stage.ts'

async function talk(zotui: Screen, ...prompts: readonly string[]): Promise<void> {
  for (const words of prompts) {
    const before = turnsEnded(zotui.history())
    await send(zotui, words)
    await zotui.see(`You said: ${words}.`)
    await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > before })
  }
}

/** Marks the prompt that is chosen in the viewer. */
async function mark(zotui: Screen, words: string): Promise<void> {
  await zotui.type('m')
  await zotui.see(/mark:/)
  await zotui.type(words)
  await zotui.see(`mark: ${words}`)
  await zotui.press('enter')
}

test('m in the viewer marks a place with words, and /marks opens it from another session, renames and removes it', async () => {
  const home = lastingHome()
  const first = await openIn(home)
  await send(first, '/marks')
  await first.see('There are no marks yet: m in the viewer marks a place.')
  await talk(first, 'the parser is slow', 'something else')
  await first.press('ctrl+o')
  await first.see(/q closes/)
  await first.type('{{')
  await first.until('the first prompt to be chosen', {
    check: () => first.screen().some(line => line.startsWith('┃') && line.includes('the parser is slow')),
  })
  await mark(first, 'cause of the delay')
  await first.see('Marked "cause of the delay". /marks lists all marks.')
  await first.type('m')
  // Of a long word the end is seen, which is being typed.
  await first.type('a word of this mark that is longer than the screen is wide, up to its very own last letter')
  await first.see(/mark: …[^]*its very own last letter/)
  await first.press('esc')
  await first.gone(/mark:/)
  await first.type('q')
  // A key that comes after the signal belongs to the draft.
  await first.until('the page closed', { check: () => !first.alternate })
  await first.close()

  const later = await openIn(home)
  await talk(later, 'a new day')
  await send(later, '/marks')
  await later.see(/cause of the delay[^]*1 mark/)
  await later.press('enter')
  await later.see(/┃ .*the parser is slow/)
  await later.type('q')
  // The list is still there.
  await later.see(/cause of the delay[^]*1 mark/)
  await later.press('ctrl+e')
  await later.see('words for the mark')
  await later.type('solved')
  await later.press('enter')
  await later.see(/solved[^]*1 mark/)
  await later.press('ctrl+d')
  await later.see('Removed the mark.')
  await send(later, '/marks')
  await later.see('There are no marks yet')
})

test('/tree shows forks, rewinds, side questions and spawned conversations; Enter shows one, g goes on from it', async () => {
  const home = lastingHome()
  const zotui = await openIn(home)
  await send(zotui, '/tree')
  await zotui.see('This session has no prompt yet.')
  await talk(zotui, 'first', 'second')
  await send(zotui, '/btw what for')
  await zotui.see(/follow up/i)
  await zotui.press('esc')
  await zotui.gone(/follow up/i)
  await send(zotui, '/spawn spawned words')
  await zotui.see('Started conversation 2')
  await send(zotui, '/fork')
  await zotui.see(/fork after/)
  await zotui.press('down', 'enter')
  await zotui.see(/This is a fork after "first"/)
  await send(zotui, '/tree')
  await zotui.see(/› first +the beginning +2 turns/)
  await zotui.press('esc')
  await zotui.gone(/goes on from there/)
  await talk(zotui, 'forked words')
  await send(zotui, '/tree')
  await zotui.see(/what for/)
  const rows = zotui.screen().filter(line => /turns?\b|side question/.test(line))
  expect(rows.find(line => line.includes('the beginning'))).toMatch(/first +the beginning +2 turns/)
  expect(rows.find(line => line.includes('what for'))).toMatch(/└ what for +side question +answered/)
  expect(rows.find(line => line.includes('spawned words'))).toMatch(/└ spawned words +spawned +1 turn/)
  expect(rows.find(line => line.includes('forked words'))).toMatch(/└ forked words +this one +2 turns/)
  // Up from this one to the first row.
  await zotui.press('up', 'up', 'up')
  await zotui.press('enter')
  await zotui.see(/q closes/)
  await zotui.see('You said: second.')
  await zotui.type('q')
  await zotui.see(/g goes on from there/)
  await zotui.type('g')
  await zotui.see('Resumed the session')
  await zotui.see('You said: second.')
  await send(zotui, '/tree')
  await zotui.see(/this one +2 turns/)
  await zotui.press('down')
  await zotui.see(/g asks again/)
  await zotui.type('g')
  await expectDraft(zotui, '/btw what for')
})

test('where sessions are not kept, as in a replay, a place cannot be marked, which is said', async () => {
  const home = lastingHome()
  const events = await eventsOf(readRecording('zot-0.3.3x', 'bash-ok-and-fail'), Date.UTC(2026, 10, 23))
  const file = sessionFile(home, 'tools.jsonl', events)
  const zotui = await open({ home, args: ['replay', file, '--at-once'] })
  await zotui.see('End of the replay')
  await zotui.press('ctrl+o')
  await zotui.see(/q closes/)
  await mark(zotui, 'word')
  await zotui.see('Nothing can be marked here: the session is not saved.')
})
