/** A user lets conversations continue in the background, from the UI, and takes lost ones up again. */
import { renameSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { allEnded, holders, homeOf, inState, openList, zotui as inShell } from './holders.ts'
import { expectDraft, logged, openIn, send } from './stage.ts'

/** Waits until the list has the only conversation as one in the background, and closes it. */
async function seeMoved(zotui: Screen): Promise<void> {
  await openList(zotui)
  await zotui.see(/1 .* & /)
  await zotui.press('esc')
  await zotui.gone(/Enter or a digit/)
}

/** A UI that began a working conversation in the background, and shows it in its list. */
async function spawnBusy(): Promise<{ home: Home; zotui: Screen }> {
  const { home, env } = homeOf('busy')
  const zotui = await openIn(home, { agent: 'busy', env })
  await send(zotui, '/spawn --background stream')
  await zotui.see(/It runs in the background/)
  await openList(zotui)
  await zotui.see(/& ◐ stream/)
  return { home, zotui }
}

describe('a conversation that moves to the background', () => {
  test('stays if it is empty, continues there with its session if it is idle, and its draft stays', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { env })
    await openList(zotui)
    await zotui.type('b')
    await zotui.see('It was not moved: Nothing of it is saved.')
    expect(holders(home)).toEqual([])
    await zotui.press('esc')
    await zotui.gone(/Enter or a digit/)
    await send(zotui, 'first words')
    await zotui.see('You said: first words')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    await openList(zotui)
    await zotui.type('b')
    await zotui.until('a holder', { check: () => holders(home).length === 1 })
    await expectDraft(zotui, 'a draft')
    await zotui.press('enter')
    await zotui.see(/You said: a draft\. Before, you said first words\./)
    await seeMoved(zotui)
    // Nothing is printed twice.
    expect(
      zotui
        .history()
        .join('\n')
        .match(/▌ first words/g),
    ).toHaveLength(1)
    const [holder] = holders(home)
    await send(zotui, '/exit')
    await zotui.exit()
    expect(zotui.history().join('\n')).toContain(`--resume ${holder?.id}`)
    await allEnded(home)
    expect(logged(home)).toContain('a draft')
  })

  test('stops and continues there if it works, also when the UI is killed', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, 'stream')
    await zotui.see('And on.')
    await openList(zotui)
    await zotui.type('b')
    await zotui.see(/1 stream is working/)
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see('Continue where you were interrupted.')
    await zotui.see('a shell sleeps')
    process.kill(zotui.itself().pid, 'SIGKILL')
    expect(await inState(home, 'working')).toMatchObject({ title: 'stream' })
  })

  test('can be resumed later if its agent does not start there', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { env })
    await send(zotui, 'first words')
    await zotui.see('You said: first words')
    renameSync(`${home.path}/bin/zot`, `${home.path}/bin/gone`)
    await openList(zotui)
    await zotui.type('b')
    await zotui.see(/resume it/)
    renameSync(`${home.path}/bin/gone`, `${home.path}/bin/zot`)
    await zotui.press('enter')
    await zotui.see('Resumed.')
    await send(zotui, 'second words')
    await zotui.see(/You said: second words\. Before, you said first words\./)
    await send(zotui, '/exit')
    await zotui.exit()
  })

  test('begins with /spawn --background, and the list shows its sign', async () => {
    const { home, zotui } = await spawnBusy()
    await zotui.press('esc')
    await zotui.gone(/Enter or a digit/)
    await send(zotui, '/exit')
    await zotui.exit()
    expect(await inState(home, 'working')).toMatchObject({ title: 'stream' })
  })
})

describe('/exit while a conversation works', () => {
  test('leaves it in the background', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, 'stream')
    await zotui.see('And on.')
    await zotui.press('ctrl+d')
    await zotui.see(/Ctrl\+D again stops it and exits; \/exit asks first\./)
    await send(zotui, '/exit')
    await zotui.see(/a conversation is still working/)
    await zotui.press('enter')
    await zotui.exit()
    const { id } = await inState(home, 'working')
    expect(zotui.history().join('\n')).toContain(`It continues in the background: zotui attach ${id}`)
  })

  test('stays in zotui, or stops the conversation', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, 'stream')
    await zotui.see('And on.')
    await send(zotui, '/exit')
    await zotui.see(/› continue in the background[^]*cancel/)
    await zotui.press('up')
    await zotui.see(/› cancel/)
    await zotui.press('enter')
    await zotui.gone(/cancel/)
    await zotui.see('answering')
    await send(zotui, '/exit')
    await zotui.see(/› continue in the background/)
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.exit()
    expect(holders(home)).toEqual([])
  })
})

test('Ctrl+D asks if another conversation works, and leaves one of another process at once', async () => {
  const { home, env } = homeOf('busy')
  const zotui = await openIn(home, { agent: 'busy', env })
  await send(zotui, '/spawn stream')
  await openList(zotui)
  await zotui.see(/2 ◐ stream/)
  await zotui.type('2')
  await zotui.see('And on.')
  await openList(zotui)
  await zotui.type('1')
  await zotui.see(/── conversation 1|── 1 /)
  await zotui.press('ctrl+d')
  await zotui.see(/a conversation is still working/)
  await zotui.press('enter')
  await zotui.exit()
  const { id } = await inState(home, 'working')
  const attached = await openIn(home, { agent: 'busy', env, args: ['attach', id] })
  await attached.see('And on.')
  await attached.see('Esc stops')
  await attached.press('ctrl+d')
  await attached.exit()
  expect(await inState(home, 'working')).toMatchObject({ id })
})

describe('a lost conversation', () => {
  test('is reported once, and resumed with another holder', async () => {
    const { home, zotui } = await spawnBusy()
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see(/(And\s+on\.\s+){20}/)
    const [former] = holders(home)
    process.kill(former?.pid ?? 0, 'SIGKILL')
    await zotui.see(/resume it/)
    expect(
      zotui
        .history()
        .join('\n')
        .match(/The process in the background is gone/g),
    ).toHaveLength(1)
    await zotui.press('enter')
    await zotui.see('Resumed.')
    const [now] = holders(home)
    expect(now?.id).toBe(former?.id)
    expect(now?.pid).not.toBe(former?.pid)
    await send(zotui, 'go on')
    await zotui.see('a shell sleeps')
    await inShell(home, ['stop', now?.id ?? ''])
  })
})
