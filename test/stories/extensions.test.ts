/** Extensions of zot show texts and tell notes while the agent works. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { share, type Screen } from '../helpers/screen.ts'
import { letGo, openZot, ready, send, startAfresh } from './stage.ts'

const ended = [
  { type: 'assistant_start' },
  { type: 'text_delta', delta: 'Looked at it.' },
  { type: 'assistant_message', content: [{ type: 'text', text: 'Looked at it.' }] },
  { type: 'turn_end', stop: 'end' },
  { type: 'done' },
]

const frames = [
  { type: 'turn_start', step: 1 },
  { type: 'ext_display', extension: 'review', text: '## Found\n\n- **two** places\n- one file' },
  { type: 'ext_notify', extension: 'lint', level: 'info', message: 'all files read' },
  { type: 'ext_notify', extension: 'lint', level: 'info', message: 'no mistakes' },
  { gate: 'more' },
  ...ended,
]

test('displayed text is Markdown below the name of its extension, and notes of one extension are grouped', async () => {
  const zotui = await play(frames)
  await zotui.see('no mistakes')
  letGo(zotui, 'more')
  await zotui.see('Looked at it.')
  await zotui.see(/^ {2}\d\d:\d\d {3}/m)
  const text = zotui.history().join('\n')
  expect(text).toMatch(/review:\n+ *(?:## )?Found\n+ *• two places\n *• one file/)
  expect(text).toMatch(/lint: all files read\n *no mistakes/)
  expect(text.match(/no mistakes/g)).toHaveLength(1)
})

const agent = share(async () => {
  const zotui = await openZot('hostile')
  await zotui.see(ready)
  return zotui
}, startAfresh)

async function play(frames: readonly object[]): Promise<Screen> {
  const zotui = await agent()
  writeFileSync(join(zotui.home.path, 'go.json'), JSON.stringify(frames))
  await send(zotui, 'go')
  return zotui
}

test('displayed text keeps its tables and code, and its escape sequences reach no terminal', async () => {
  const sneaky = '\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u001b[0m \u0007\u202etxt'
  const text = `| file | remarks |\n| --- | --- |\n| a.ts | 3 |\n\n\`\`\`ts\nconst one = 1\n\`\`\`\n\n${sneaky}`
  const zotui = await play([
    { type: 'turn_start', step: 1 },
    { type: 'ext_display', extension: 'rev\u001b[2Jiew', text },
    { type: 'ext_notify', extension: 'lint', level: 'warn', message: `bad ${sneaky}` },
    ...ended,
  ])
  await zotui.see('Looked at it.')
  await zotui.see(/^ {2}\d\d:\d\d {3}/m)
  const shown = zotui.history().join('\n')
  expect(shown).toMatch(/file +remarks\n[ ─-]+\n +a\.ts +3/)
  expect(shown).toContain('const one = 1')
  expect(shown).toContain('red')
  // Nothing of it was obeyed: the prompt is still there, and so is the title.
  expect(shown).toContain('▌ go')
  expect(zotui.around.title).not.toContain('owned')
  expect(shown).not.toContain('\u202e')
})

test('a flood of text and notes is shown, and the composer still takes keys', async () => {
  const flood = Array.from({ length: 2000 }, (_, at) => [
    { type: 'ext_notify', extension: 'lint', level: 'info', message: `note ${at}` },
    { type: 'ext_display', extension: 'review', text: `text ${at}` },
  ]).flat()
  const zotui = await play([{ type: 'turn_start', step: 1 }, ...flood, { gate: 'after the flood' }, ...ended])
  await zotui.see(/text 1999/)
  await zotui.type('still here')
  await zotui.see('still here')
  letGo(zotui, 'after the flood')
  await zotui.see('Looked at it.')
})
