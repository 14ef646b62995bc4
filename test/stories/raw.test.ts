/** Raw mode: what is selected in the terminal is what was written. */
import { describe, expect, test } from 'vitest'
import { share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { openQuickDemo, openZot, ready, send, startAfresh } from './stage.ts'

const ended = turnEnd
const source = [
  '```ts',
  'const one = 1',
  /^\tindented|^ +indented/,
  '```',
  '',
  '1. in a list',
  '',
  '   ```sh',
  '   echo two',
]

async function openReady(): Promise<Screen> {
  const zotui = await openZot('reading', { columns: 100 })
  await zotui.see(ready)
  return zotui
}

/** Whether the lines stand there one below the other. */
function stands(lines: readonly string[], wanted: readonly (string | RegExp)[]): boolean {
  return lines.some((_, at) =>
    wanted.every((line, index) =>
      typeof line === 'string' ? lines[at + index] === line : line.test(lines[at + index] ?? ''),
    ),
  )
}

const shared = share(openReady, async zotui => {
  await startAfresh(zotui)
  await send(zotui, '/raw off')
  await zotui.see('Raw mode is off.')
  zotui.forget()
})

describe('Alt+R', () => {
  test('prints later output as source, and redraws the screen as what it is then; the status line says raw', async () => {
    const zotui = await shared()
    await zotui.press('alt+r')
    await zotui.see('Raw mode: text is shown as written')
    await send(zotui, 'code')
    await zotui.see(ended)
    expect(stands(zotui.history(), source)).toBe(true)
    await zotui.see(/^ {2}raw {3}|   raw   /m)
    await zotui.press('alt+r')
    await zotui.see('Raw mode is off.')
    await zotui.see(/^ {3,5}echo two$|^echo two$/m)
    await zotui.gone('```ts')
    await zotui.press('alt+r')
    await zotui.until('the source', { check: () => stands(zotui.screen(), source) })
    await zotui.type('a draft')
    await zotui.see(/^▌ a draft/m)
  })

  test('long lines are left to the terminal to wrap, and are copied as one', async () => {
    const zotui = await openQuickDemo({ columns: 40 })
    await zotui.press('alt+r')
    await zotui.see('Raw mode:')
    const long = `a ${'very '.repeat(30)}long prompt`
    await zotui.type(long)
    await zotui.see(/long prompt$/m)
    await zotui.press('enter')
    const paragraph = (): boolean => zotui.history().join('').includes(long)
    await zotui.until('the whole of it, broken by the terminal alone', { check: paragraph })
    expect(zotui.bytes().toString()).toContain(long)
  })

  test('works in the viewer, too, and /raw on and /raw off switch it', async () => {
    const zotui = await shared()
    await send(zotui, '/raw on')
    await zotui.see('Raw mode:')
    await send(zotui, '/raw sometimes')
    await zotui.see('/raw, /raw on or /raw off.')
    await send(zotui, '/raw off')
    await zotui.see('Raw mode is off.')
    await send(zotui, 'code')
    await zotui.see(ended)
    await zotui.press('ctrl+o')
    await zotui.see(/q closes/)
    await zotui.press('alt+r')
    await zotui.see('```ts')
    await zotui.see(/^ {2}Raw mode:/m)
    await zotui.type('k')
    await zotui.see(/^ {2}raw {3}/m)
    await zotui.type('q')
    await zotui.see(/ raw /)
  })
})
