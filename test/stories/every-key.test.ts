/**
 * Every key of the table, as terminals send it, through a pseudo-terminal: `/keys debug` says which key was read and what it
 * does. Generated from the table, so that a new binding is tried as well.
 */
import { describe, expect, test } from 'vitest'
import { actionName } from '../../src/config/keys/action-name.ts'
import { isText } from '../../src/config/keys/key-name.ts'
import { allBindings } from '../../components/pages/keymap.ts'
import { defaultKeymap } from '../../src/state/keymap.ts'
import { keyWithModifiers, encode } from '../helpers/keys.ts'
import { open, share, type Screen } from '../helpers/screen.ts'
import { openDemo, send, startAfresh } from './stage.ts'

/** These end `/keys debug`. */
const leaving = new Set(['ctrl+c', 'ctrl+\\'])
/** A key that types a character is one in the viewer only. */
const keys = [...new Set(allBindings.flatMap(binding => binding.keys.flatMap(key => key.split(' '))))].filter(
  key => !leaving.has(key) && !isText(key),
)

/** Keys that arrive as another key if a terminal has only bytes for them. */
const twins: Record<string, string> = {
  'ctrl+backspace': 'ctrl+h',
  'shift+backspace': 'backspace',
  'ctrl+-': 'ctrl+_',
  'ctrl+/': 'ctrl+_',
}
/** Keys that have no bytes of their own at all. */
const unsendable = new Set(['ctrl+enter', 'shift+enter'])

const helperName = (key: string): string => (key === 'escape' ? 'esc' : key)

function legacy(key: string): string | null {
  return unsendable.has(key) ? null : encode(helperName(key), { applicationCursor: false, kitty: 0 })
}

function kitty(key: string): string {
  return encode(helperName(key), { applicationCursor: false, kitty: 1 })
}

/** xterm's form, for keys that stand for a character or a control character. */
function otherKeys(key: string): string | null {
  const { code, modifiers } = keyWithModifiers(helperName(key))
  return code === null || modifiers === 1 ? null : `\u001B[27;${modifiers};${code}~`
}

function doing(key: string): string {
  const action = defaultKeymap.actionFor(key, 'composer')
  if (action) return actionName('composer', action)
  return defaultKeymap.begins(key, 'composer') ? 'waits for a second key' : 'nothing'
}

const demo = share(() => openDemo({ columns: 100 }), startAfresh)

async function openWatch(): Promise<Screen> {
  const zotui = await demo()
  await send(zotui, '/keys debug')
  await zotui.see('Ctrl+C ends it')
  return zotui
}

/** The cells of the last row of keys. */
function lastRow(zotui: Screen): string[] {
  const row = zotui.screen().findLast(line => line.trim() !== '') ?? ''
  return row.trim().split(/ {2,}/).slice(-2)
}

describe.each<[name: string, encoding: (key: string) => string | null, same: Record<string, string>]>([
  ['as bytes', legacy, twins],
  ['in the kitty encoding', kitty, {}],
  ['as xterm sends them with modifyOtherKeys', otherKeys, {}],
])('every key %s', (_, encoding, same) => {
  test('is recognised, and does what the table says', async () => {
    const zotui = await openWatch()
    const sent = keys.flatMap(key => {
      const bytes = encoding(key)
      return bytes === null ? [] : [{ key: same[key] ?? key, bytes }]
    })
    expect(sent.length).toBeGreaterThan(20)
    for (const { key, bytes } of sent) {
      await zotui.raw(bytes)
      const expected = [key, doing(key)]
      await zotui.until(`${JSON.stringify(bytes)} to be ${expected.join(', ')}`, {
        check: () => lastRow(zotui).join() === expected.join(),
      })
    }
    await zotui.press('ctrl+c')
    await zotui.gone('Ctrl+C ends it')
    await zotui.type('free again')
    await zotui.see('▌ free again')
  })
})

test('/keys debug shows unknown sequences, and types no text', async () => {
  const zotui = await openWatch()
  await zotui.raw('\u001B[25~')
  await zotui.see(/ESC \[25~ +no key/)
  await zotui.raw('x')
  await zotui.see(/ x +text +types it/)
  await zotui.raw('\u001B[200~pasted\u001B[201~')
  await zotui.see(/paste +pastes 6 characters/)
  await zotui.raw('\u001B[I')
  await zotui.see(/ESC \[I +no key/)
  await zotui.press('ctrl+c')
  await zotui.gone('Ctrl+C ends it')
  expect(zotui.screen().join('\n')).not.toContain('▌ x')
})

test('only tmux is asked to distinguish more keys', async () => {
  const zotui = await open({ args: ['--demo'], env: { TMUX: '/tmp/tmux-0/default,1,0' } })
  await zotui.see(/demo-large/)
  expect(zotui.bytes().toString()).toContain('\u001B[>4;1m')
  await zotui.close()
  expect(zotui.bytes().toString().lastIndexOf('\u001B[>4m')).toBeGreaterThan(
    zotui.bytes().toString().lastIndexOf('\u001B[>4;1m'),
  )
  const other = await open({ args: ['--demo'] })
  await other.see(/demo-large/)
  expect(other.bytes().toString()).not.toContain('\u001B[>4')
})
