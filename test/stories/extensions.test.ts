/** Extensions of zot show texts and tell notes while the agent works. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { letGo, openZot, ready, send } from './stage.ts'

const frames = [
  { type: 'turn_start', step: 1 },
  { type: 'ext_display', extension: 'review', text: '## Found\n\n- **two** places\n- one file' },
  { type: 'ext_notify', extension: 'lint', level: 'info', message: 'all files read' },
  { type: 'ext_notify', extension: 'lint', level: 'info', message: 'no mistakes' },
  { gate: 'more' },
  { type: 'assistant_start' },
  { type: 'text_delta', delta: 'Looked at it.' },
  { type: 'assistant_message', content: [{ type: 'text', text: 'Looked at it.' }] },
  { type: 'turn_end', stop: 'end' },
  { type: 'done' },
]

test('a shown text is Markdown below the name of its extension, and notes of one extension stand together', async () => {
  const zotui = await openZot('hostile', {
    env: ({ path }) => {
      writeFileSync(join(path, 'go.json'), JSON.stringify(frames))
      return {}
    },
  })
  await zotui.see(ready)
  await send(zotui, 'go')
  await zotui.see('no mistakes')
  letGo(zotui, 'more')
  await zotui.see('Looked at it.')
  await zotui.see(/^ {2}\d\d:\d\d {3}/m)
  const text = zotui.history().join('\n')
  expect(text).toMatch(/review:\n+ *(?:## )?Found\n+ *• two places\n *• one file/)
  expect(text).toMatch(/lint: all files read\n *no mistakes/)
  expect(text.match(/no mistakes/g)).toHaveLength(1)
})
