/** The demo keeps its sessions until it ends, with made-up earlier ones: what was said is searched, marked, resumed and shown as a tree. */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import type { OpenOptions, Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { lastingHome, logged, openQuickDemo, send } from './stage.ts'

/** A demo whose temporary files are in a folder of the home. */
async function openWithPast(home: Home, options: OpenOptions = {}): Promise<Screen> {
  mkdirSync(temporary(home), { recursive: true })
  return openQuickDemo({ ...options, home, env: { TMPDIR: temporary(home) } })
}

const temporary = ({ path }: Home): string => join(path, 'temporary')
// The socket of a UI whose state folder has a long name has a folder like that, too.
const kept = (home: Home): string[] =>
  readdirSync(temporary(home)).filter(
    name => /^zotui-[\da-f]{12}$/.test(name) && existsSync(join(temporary(home), name, 'sessions')),
  )

async function talk(zotui: Screen, words: string): Promise<void> {
  const before = turnsEnded(zotui.history())
  await send(zotui, words)
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > before })
}

test('`tour find` says what to type; /find finds what two agents did in two folders, and /marks what was marked there', async () => {
  const zotui = await openWithPast(lastingHome(), { columns: 110, rows: 40 })
  await talk(zotui, 'tour find')
  await zotui.see('/find deploy searches all of them')
  await send(zotui, '/find emoji')
  await zotui.see(/Why does the parser count an emoji as two\? +prompt +zot/)
  await zotui.press('ctrl+u')
  await zotui.type('deploy failed: kind:command')
  await zotui.see(/The deploy fails since this morning.* command, failed +shop +claude/)
  await zotui.press('enter')
  await zotui.see(/match \d of \d+ for deploy/)
  await zotui.type('m')
  await zotui.see(/mark:/)
  await zotui.type('the cause')
  await zotui.press('enter')
  await zotui.see('Marked "the cause". /marks lists all marks.')
  await zotui.press('esc')
  await zotui.press('esc')
  await zotui.see(/find {2}deploy/)
  await zotui.press('esc')
  await send(zotui, '/marks')
  await zotui.see(/the cause +The deploy fails since.* shop[^]*1 mark/)
})

test('Alt+Enter in /find resumes a made-up session, whose fork and side question are in /tree', async () => {
  const zotui = await openWithPast(lastingHome(), { columns: 110 })
  await send(zotui, '/find slower')
  await zotui.see(/Is it slower\?/)
  await zotui.press('alt+enter')
  await zotui.see('Resumed the session: 3 turns')
  await send(zotui, '/tree')
  await zotui.see(/what is a grapheme\? +side question/)
  await zotui.see(/Do it without Intl\.Segmenter.* 2 turns/)
})

test('/resume lists the made-up sessions of this folder, and what was said now', async () => {
  const zotui = await openWithPast(lastingHome(), { columns: 110 })
  await talk(zotui, 'thanks')
  await send(zotui, '/resume')
  await zotui.see(/thanks +this one/)
  await zotui.see(/Why does the parser count an emoji/)
  await zotui.gone(/The deploy fails/)
})

test('what the demo keeps is for the user alone, is not there before the first prompt, and goes with it', async () => {
  const home = lastingHome()
  const zotui = await openWithPast(home)
  expect(kept(home)).toEqual([])
  await talk(zotui, 'thanks')
  const [folder = ''] = kept(home)
  expect(statSync(join(temporary(home), folder)).mode & 0o777).toBe(0o700)
  await zotui.close()
  expect(kept(home)).toEqual([])
  expect(logged(home)).toBe('')
})

test.each(['SIGTERM', 'SIGHUP'] as const)('%s removes it, also in the middle of a search', async signal => {
  const home = lastingHome()
  const zotui = await openWithPast(home)
  await send(zotui, '/find emoji')
  await zotui.see(/\d+ found/)
  expect(kept(home)).toHaveLength(1)
  zotui.kill(signal)
  await zotui.exit()
  expect(kept(home)).toEqual([])
})

test('what a demo that was killed has left is removed by the next start', async () => {
  const home = lastingHome()
  const first = await openWithPast(home)
  await talk(first, 'thanks')
  first.kill('SIGKILL')
  await first.exit()
  expect(kept(home)).toHaveLength(1)
  const next = await openWithPast(home)
  await next.until('the folder to be gone', { check: () => kept(home).length === 0 })
})
