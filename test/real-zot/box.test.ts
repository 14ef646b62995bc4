/** A command that only reads, called by a real zot's model, runs unasked and in the box. */
import { canBox } from '../helpers/can-box.ts'
import { expect, test } from 'vitest'
import { homeWith } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { messagesOf, openZot, say, zot } from './talk.ts'

test.skipIf(!zot || !canBox)(
  'a real zot reads a file of the project, and no password, where the project is the home folder',
  async () => {
    const home = homeWith({ 'note.txt': 'a plain note', '.netrc': 'a password' })
    const model = await startModel([reply().tool('bash', { command: 'cat note.txt .netrc' }), reply().text('Done.')])
    const zotui = await openZot({
      args: [...model.flags, '--permissions', 'ask'],
      home,
      cwd: home.path,
    })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, 'go')
    await zotui.see('Done.')
    await zotui.see(/a plain note\s*cat: \.netrc: Permission denied/)
    const results = JSON.stringify(messagesOf(await model.request(2)))
    expect(results).toContain('a plain note')
    expect(results).not.toContain('a password')
    await zotui.close()
    home.remove()
  },
)
