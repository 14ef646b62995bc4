/** Mode contained with a real zot: commands run unasked and in the sandbox. */
import { canBox } from '../helpers/can-box.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { homeWith } from '../helpers/home.ts'
import { reply, startModel } from '../helpers/model.ts'
import { messagesOf, openZot, say, zot } from './talk.ts'

test.skipIf(!zot || !canBox)(
  'a real zot writes in the project unasked, sees no password, and writes outside only when it is allowed to leave',
  async () => {
    const home = homeWith({ 'project/a.txt': 'one', '.netrc': 'a password' })
    const command = 'echo two > b.txt; cat ../.netrc; ls /etc/zotui-escape; touch /etc/zotui-escape && echo written'
    const model = await startModel([reply().tool('bash', { command }), reply().text('Done.')])
    const zotui = await openZot({
      args: [...model.flags, '--permissions', 'contained'],
      home,
      cwd: join(home.path, 'project'),
    })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, 'go')
    await zotui.see('/etc/zotui-escape')
    await zotui.see(/› \d/)
    await zotui.press('n')
    await zotui.see('Done.')
    const results = JSON.stringify(messagesOf(await model.request(2)))
    expect(results).toContain('Read-only file system')
    expect(results).not.toContain('a password')
    expect(results).toContain('[sandbox]')
    expect(readFileSync(join(home.path, 'project/b.txt'), 'utf8')).toBe('two\n')
    await zotui.close()
    home.remove()
  },
)
