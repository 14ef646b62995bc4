/** A user has keys of their own. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { expectDraft, openDemo, send } from './stage.ts'

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
    await zotui.see('Esc closes')
    await zotui.press('pagedown')
    await zotui.see(/Ctrl\+U, Ctrl\+X Ctrl\+K/)
    await zotui.close()
    home.remove()
  })

  test('changes the keys that hints name: in the header, while the agent works, and in the viewer', async () => {
    const keys = {
      composer: { escape: '-stop', 'alt+q': 'stop', 'ctrl+o': '-view', 'alt+v': 'view' },
      viewer: { q: '-close', 'ctrl+o': '-close', X: 'close', '/': '-search', s: 'search', '?': '-help' },
    }
    const zotui = await openDemo({ home: homeWith(JSON.stringify(keys)), columns: 120 })
    await zotui.see(/Enter sends {3}Alt\+Q stops/)
    await send(zotui, 'slow')
    await zotui.see(/thinking|answering/)
    await zotui.see(/Alt\+Q stops$/m)
    await zotui.press('alt+q')
    await zotui.see('Stopped.')
    await zotui.press('alt+v')
    await zotui.see(/s search {3}t turns {3}Enter opens {3}c copies {3}X closes/)
    await zotui.type('t')
    await zotui.see(/Enter opens {3}type to search {3}Esc closes/)
    await zotui.press('esc')
    await zotui.type('X')
    await zotui.see(/demo-large/)
    expect(zotui.screen().join('\n')).not.toMatch(/Esc stops/)
    await zotui.close()
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
