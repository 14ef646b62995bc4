/** From the bytes of a terminal to the names of the keymap: our reader, Ink's parser and `keyName` together. */
import { PassThrough, Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { render, Text, useInput, usePaste, type Instance } from 'ink'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { keyName } from '../../components/key-name.ts'
import { TerminalInput } from '../../src/terminal/input.ts'
import { ESC, PASTE_END, PASTE_START } from './tokens.ts'

const SOON = { interval: 2, timeout: 5000 }

class FakeTerminal extends PassThrough {
  readonly isTTY = true
  readonly setRawMode = (): this => this
  readonly ref = (): this => this
  readonly unref = (): this => this
}

function Listener({ heard }: { heard: (what: string) => void }): ReactNode {
  useInput((input, key) => heard(keyName(input, key) ?? `types ${input}`))
  usePaste(text => heard(`pastes ${text}`))
  return <Text>ready</Text>
}

let instance: Instance | null = null
let input: TerminalInput | null = null

afterEach(() => {
  instance?.unmount()
  input?.stop()
})

/** What the program hears when the terminal sends this. */
async function heardOf(sent: string): Promise<string[]> {
  const heard: string[] = []
  const terminal = new FakeTerminal()
  input = new TerminalInput(terminal as unknown as ReadStream, { onReply: () => undefined, onFocus: () => undefined })
  const nowhere = Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { columns: 80, rows: 24 })
  instance = render(<Listener heard={what => heard.push(what)} />, {
    stdin: input as unknown as ReadStream,
    stdout: nowhere as unknown as NodeJS.WriteStream,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  terminal.write(sent)
  // A letter behind it says that all before it has been heard.
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), SOON)
  terminal.write('.')
  await vi.waitFor(() => expect(heard.at(-1)).toBe('types .'), SOON)
  return heard.slice(0, -1)
}

test.each([
  ['\r', 'enter'],
  ['\t', 'tab'],
  ['\u007F', 'backspace'],
  ['\n', 'ctrl+j'],
  ['\u0003', 'ctrl+c'],
  ['\u0004', 'ctrl+d'],
  ['\b', 'ctrl+h'],
  ['\0', 'ctrl+space'],
  ['\u001C', 'ctrl+\\'],
  ['\u001F', 'ctrl+_'],
  [ESC, 'escape'],
  [`${ESC}[27u`, 'escape'],
  [`${ESC}[A`, 'up'],
  [`${ESC}OB`, 'down'],
  [`${ESC}[H`, 'home'],
  [`${ESC}[4~`, 'end'],
  [`${ESC}[3~`, 'delete'],
  [`${ESC}[5~`, 'pageup'],
  [`${ESC}[6~`, 'pagedown'],
  [`${ESC}[Z`, 'shift+tab'],
  [`${ESC}[1;5D`, 'ctrl+left'],
  [`${ESC}[1;3C`, 'alt+right'],
  [`${ESC}[1;9A`, 'alt+up'],
  [`${ESC}${ESC}[A`, 'alt+up'],
  [`${ESC}[3;5~`, 'ctrl+delete'],
  [`${ESC}b`, 'alt+b'],
  [`${ESC}P`, 'alt+shift+p'],
  [`${ESC}\r`, 'alt+enter'],
  [`${ESC}\u007F`, 'alt+backspace'],
  [`${ESC}_`, 'alt+_'],
  [`${ESC}[13;2u`, 'shift+enter'],
  [`${ESC}[13;5u`, 'ctrl+enter'],
  [`${ESC}[127;2u`, 'shift+backspace'],
  [`${ESC}[127;5u`, 'ctrl+backspace'],
  [`${ESC}[27;2;13~`, 'shift+enter'],
  [`${ESC}[99;5u`, 'ctrl+c'],
  [`${ESC}[99;133u`, 'ctrl+c'],
  [`${ESC}[112;3u`, 'alt+p'],
  [`${ESC}[57414u`, 'enter'],
  [`${ESC}[57419u`, 'up'],
])('%j is %s', async (sent, name) => {
  expect(await heardOf(sent)).toEqual([name])
})

test.each([
  ['a', ['types a']],
  ['A', ['types A']],
  [' ', ['types  ']],
  ['Grüße 你好', ['types Grüße 你好']],
  [`${ESC}[97;2u`, ['types A']],
  ['a\rb\rc', ['pastes a\rb\rc']],
  [`${PASTE_START}one\rtwo ${ESC}[A${PASTE_END}`, [`pastes one\rtwo ${ESC}[A`]],
  [`a${ESC}[Ab`, ['types a', 'up', 'types b']],
  [`${ESC}[?62;22c${ESC}[Ix`, ['types x']],
  [`${ESC}[25~x`, ['types x']],
])('%j is heard as %j', async (sent, heard) => {
  expect(await heardOf(sent)).toEqual(heard)
})
