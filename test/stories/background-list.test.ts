/** Conversations in the background, seen from the list of a UI that did not begin them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { open, type Screen } from '../helpers/screen.ts'
import { allEnded, attach, begin, demoHome, holders, homeOf, inState, listed, openList } from './holders.ts'
import { installAgent, openDemo, openIn, ready, send } from './stage.ts'

/** Chooses the only conversation in the background in the list of a UI. */
async function chooseBusy(zotui: Screen): Promise<void> {
  await openList(zotui)
  await zotui.see(/& ◐ stream/)
  await zotui.press('down')
  await zotui.see(/› & ◐ stream/)
}

describe('a line', () => {
  test('says what a conversation in the background asks, and that it has ended, and its key goes there or resumes it', async () => {
    const { home, env } = demoHome()
    await begin(home, ['--demo', '--permissions', 'ask', 'write'], env)
    await inState(home, 'asks')
    const zotui = await openDemo({ home, env })
    // It is followed once it was listed.
    await openList(zotui)
    await zotui.see(/& \? write/)
    await zotui.press('esc')
    await zotui.see(/^\? & write asks: write .* {3}Alt\+G opens it$/m)
    await zotui.press('alt+g')
    await zotui.see('Create hello.html?')
  })

  test('says that one has ended, and its key resumes it', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, '/spawn --background stream')
    await zotui.see(/It runs in the background/)
    await inState(home, 'working')
    for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
    // Whether it worked at its death depends on what was last heard of it.
    await zotui.see(/^[✗●] & stream has (?:failed|ended) {3}Alt\+G opens it$/m)
    await zotui.press('alt+g')
    await zotui.see(/Resumed the session/)
    // On a busy machine it has written more than the screen holds.
    await zotui.seeInHistory(/^▌ stream$/m)
    await zotui.gone(/has (?:failed|ended)/)
  })

  test('says that one is done', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { agent: 'echo', env })
    await send(zotui, '/spawn --background hello')
    await zotui.see(/^● & hello (?:is done|has ended) {3}Alt\+G opens it$/m)
    await send(zotui, 'thanks')
    await zotui.see('You said: thanks.')
    await zotui.gone(/is done|has ended/)
  })
})

describe('the list of a UI', () => {
  test('answers a call of a conversation in the background, which then asks again, and an answer in one UI closes the question in another', async () => {
    const { home, env } = demoHome()
    const id = await begin(home, ['--demo', '--permissions', 'ask', 'danger'], env)
    await inState(home, 'asks')
    const one = await openDemo({ home, env, columns: 160, rows: 60 })
    await openList(one)
    await one.see(/& \? danger +asks you/)
    await one.press('down')
    await one.see(/› & \? danger/)
    const before = (await listed(home))[0]?.call?.id
    expect(before).toBeDefined()
    const two = await attach(home, id)
    await two.see('1 of 3')
    await one.type('n')
    await one.see(/Refused: /)
    await one.see(/asks {2}/)
    const after = await inState(home, 'asks')
    expect(after.call?.id).not.toBe(before)
    await one.press('enter')
    await Promise.all([one.see('1 of 2'), two.see('1 of 2')])
    await one.see(/› 1/)
    await one.press('enter')
    await Promise.all([one.see('Create .env?'), two.see('Create .env?')])
    await two.see(/› 1/)
    await two.press('n')
    const refused = /write \.env +refused by you/
    await Promise.all([one.seeInHistory(refused), two.seeInHistory(refused)])
  })

  test('drops a conversation that is ended there or whose holder is killed, and attaches to one, which is shown in full and continues when the UI ends', async () => {
    const { home, env } = homeOf('busy')
    await begin(home, ['stream'], env)
    const zotui = await openIn(home, { agent: 'busy' })
    await chooseBusy(zotui)
    await zotui.type('e')
    await zotui.see(/end & stream/)
    await zotui.press('down')
    await zotui.press('enter')
    await allEnded(home)
    await openList(zotui)
    await zotui.gone(/& /)
    await zotui.press('esc')
    await zotui.gone(/Enter or a digit/)
    await begin(home, ['stream'], env)
    await chooseBusy(zotui)
    for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
    await zotui.see(/› 1 /)
    await zotui.gone(/& ◐ stream/)
    await zotui.press('esc')
    await zotui.gone(/Enter or a digit/)
    const id = await begin(home, ['stream'], env)
    await openList(zotui)
    await zotui.see(/& ◐ stream +working/)
    await zotui.press('down')
    await zotui.see(/› & ◐ stream/)
    await zotui.press('enter')
    await zotui.see('I am at it.')
    // The last words of the list are the first ones of the conversation: its working line tells them apart.
    await zotui.see(/answering +\d+s/)
    await openList(zotui)
    await zotui.see(/› 2 ◐ & stream +working, this/)
    // It is one row, although the holder still lists it.
    expect(zotui.screen().filter(line => line.includes('stream  '))).toHaveLength(1)
    await zotui.press('esc')
    await send(zotui, '/exit')
    await zotui.exit()
    expect(zotui.history().join('\n')).toContain(`It continues in the background: zotui attach ${id}`)
    expect(await inState(home, 'working')).toMatchObject({ id })
  })
})

test('A side question in a conversation of the background goes to the host of that conversation, not to that of this zotui', async () => {
  const { home } = homeOf('busy')
  const zot = installAgent(home, { name: 'zot', agent: 'busy', first: 'echo "$*" >>"$HOME/started"' })
  const env = { ZOTUI_ZOT: zot, ZOTUI_PERMISSIONS: 'allow' }
  await begin(home, ['--base-url', 'http://127.0.0.1:9/own', 'stream'], env)
  const zotui = await open({ home, args: ['--no-guard', '--base-url', 'http://127.0.0.1:9/other'], env, columns: 110 })
  await zotui.see(ready)
  await chooseBusy(zotui)
  await zotui.press('enter')
  await zotui.see(/answering +\d+s/)
  await send(zotui, '/btw why')
  await zotui.see('let it continue')
  const started = (): string[] => readFileSync(join(home.path, 'started'), 'utf8').trim().split('\n')
  await expect
    .poll(() => started().map(line => /127\.0\.0\.1:9\/(\w+)/.exec(line)?.[1]))
    .toEqual(['own', 'other', 'own'])
})
