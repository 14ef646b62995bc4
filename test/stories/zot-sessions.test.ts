/** The sessions that zot keeps by itself: in the list, read-only, and gone on with like any other. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exported } from '../../src/export/formats.ts'
import { sample } from '../export/sample.ts'
import type { Home } from '../helpers/home.ts'
import { lastingHome, openZot, send } from './stage.ts'

const KEY = 'sk-ant-0123456789abcdef'
const ID = '20261122-140200-0a1b2c3d'

/** A home in which zot has talked, of a key, in the project; and the file of that. */
async function zotHome(): Promise<{ home: Home; path: string }> {
  const home = lastingHome()
  const mark = createHash('sha256').update(home.project).digest('hex').slice(0, 16)
  const folder = join(home.path, '.local', 'state', 'zot', 'sessions', mark)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${ID}.jsonl`)
  writeFileSync(path, (await exported(sample, 'zotsession')).replaceAll('Fix the failing test', `Fix ${KEY} first`))
  return { home, path }
}

describe('in the list', () => {
  test('is marked at any size, cannot be changed, and can be continued', async () => {
    const { home, path } = await zotHome()
    const before = readFileSync(path, 'utf8')
    const zotui = await openZot('echo', { home, env: { ANTHROPIC_API_KEY: KEY } })
    await zotui.see('Enter sends')
    await send(zotui, '/resume')
    await zotui.see(/› Fix sk-\[hidden\] first +of zot +4 turns/)
    zotui.resize(40, 20)
    await zotui.gone(/of zot +4 turns/)
    await zotui.see(/› Fix sk-\[hidden\] f… +of zot/)
    await zotui.press('ctrl+e')
    await zotui.see('Read-only: the session belongs to zot.')
    await zotui.press('ctrl+d')
    await zotui.see('Read-only: the session belongs to zot.')
    await zotui.press('enter')
    await zotui.see(/It\s+is\s+kept\s+by\s+zot,\s+so\s+you\s+continue\s+in\s+a\s+fork/)
    await send(zotui, 'and now')
    await zotui.see('You said: and now.')
    await zotui.see(/Before, you said/)
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect(zotui.history().join('\n')).not.toContain(KEY)
  })
})

describe('at the start', () => {
  test.each([
    ['named', ['--resume', `zot-${ID}`], /Resumed the session/],
    ['by words in it', ['--resume', 'first'], /Resumed the session/],
    ['by letters of its name', ['--resume', 'fxfrst'], /› Fix/],
    ['to be chosen', ['--resume'], /› Fix/],
    ['by -c, which goes on with ours only', ['-c'], /`zotui --resume` lists th/],
  ])('%s', async (_, args, shown) => {
    const { home } = await zotHome()
    const zotui = await openZot('echo', { home, args })
    await zotui.see(shown, { where: 'history' })
  })
})
