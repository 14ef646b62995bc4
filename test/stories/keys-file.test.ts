/** A user has keys of their own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { expectDraft, openDemo } from './stage.ts'

function homeWith(keys: string) {
  const home = makeHome()
  mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
  writeFileSync(join(home.path, '.config', 'zotui', 'keys.json'), keys)
  return home
}

describe.skipIf(process.platform !== 'linux')('keys.json', () => {
  test('changes what a key does, and the help shows it', async () => {
    const home = homeWith('{ "composer": { "C-x C-k": "kill_to_line_start", "alt+q": "move_word_left" } } // mine')
    const zotui = await openDemo({ home, rows: 60 })
    await zotui.type('one two')
    await zotui.press('alt+q', 'alt+q', 'x')
    await expectDraft(zotui, 'xone two')
    await zotui.press('ctrl+e', 'ctrl+x', 'ctrl+k')
    await expectDraft(zotui, '')
    await zotui.press('?')
    await zotui.seeInHistory(/Ctrl\+U, Ctrl\+X Ctrl\+K/)
    await zotui.close()
    home.remove()
  })

  test('a mistake is reported at the start, and the rest applies', async () => {
    const home = homeWith('{\n  "composer": {\n    "alt+q": "sumbit",\n    "alt+z": "newline"\n  }\n}')
    const zotui = await openDemo({ home })
    await zotui.see('! keys.json line 3: composer has no action sumbit; did you mean submit?')
    await zotui.type('one')
    await zotui.press('alt+z')
    await zotui.type('two')
    await zotui.see(/^▌ one\n▌ two\n/m)
    expect(zotui.screen().join('\n')).not.toContain('line 4')
    await zotui.close()
    home.remove()
  })
})
