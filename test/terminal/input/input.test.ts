/** From the bytes of a terminal to what the program hears of them. */
import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { afterEach, expect, test, vi } from 'vitest'
import { TerminalInput, type KeyInput } from '../../../src/terminal/input/input.ts'
import { ESC, PASTE_END, PASTE_START } from '../output/tokens.ts'

const SOON = { interval: 2, timeout: 5000 }

let input: TerminalInput | null = null
afterEach(() => input?.stop())

type Told = { keys: KeyInput[]; replies: string[]; focus: boolean[] }

function open(): { terminal: PassThrough; input: TerminalInput; told: Told } {
  const terminal = new PassThrough()
  const told: Told = { keys: [], replies: [], focus: [] }
  const made = new TerminalInput(terminal as unknown as ReadStream, {
    onReply: sequence => told.replies.push(sequence),
    onFocus: focused => told.focus.push(focused),
  })
  input = made
  return { terminal, input: made, told }
}

/** All that the program hears when the terminal sends this. */
async function heardOf(sent: string): Promise<KeyInput[]> {
  const { terminal, input, told } = open()
  input.subscribe(key => told.keys.push(key))
  terminal.write(sent)
  await vi.waitFor(() => expect(told.keys.length).toBeGreaterThan(0), SOON)
  // A letter behind it says that all before it has been heard.
  terminal.write('.')
  await vi.waitFor(() => expect(told.keys.at(-1)?.text).toBe('.'), SOON)
  return told.keys.slice(0, -1)
}

test.each<[string, KeyInput[]]>([
  ['\r', [{ name: 'enter', text: '', raw: '\r' }]],
  [ESC, [{ name: 'escape', text: '', raw: ESC }]],
  [`${ESC}b`, [{ name: 'alt+b', text: '', raw: `${ESC}b` }]],
  [`${ESC}[98;3u`, [{ name: 'alt+b', text: '', raw: `${ESC}[98;3u` }]],
  ['Grüße 你好', [{ name: 'text', text: 'Grüße 你好', raw: 'Grüße 你好' }]],
  [`${ESC}[97;2u`, [{ name: 'text', text: 'A', raw: `${ESC}[97;2u` }]],
  [`${PASTE_START}one\rtwo${PASTE_END}`, [{ name: 'paste', text: 'one\rtwo', raw: `one\rtwo${PASTE_END}` }]],
  [`${ESC}OP`, [{ name: '', text: '', raw: `${ESC}OP` }]],
  [`${ESC}[?62;22c`, [{ name: '', text: '', raw: `${ESC}[?62;22c` }]],
  [
    `a${ESC}[Ab`,
    [
      { name: 'text', text: 'a', raw: 'a' },
      { name: 'up', text: '', raw: `${ESC}[A` },
      { name: 'text', text: 'b', raw: 'b' },
    ],
  ],
])('%j is emitted with its name, its text and its bytes', async (sent, keys) => {
  expect(await heardOf(sent)).toEqual(keys)
})

test('keys before the first listener are delivered first and in order', async () => {
  const { terminal, input, told } = open()
  terminal.write('ab\r')
  terminal.write('c')
  await new Promise(resolve => setImmediate(resolve))
  input.subscribe(key => told.keys.push(key))
  terminal.write('d')
  await vi.waitFor(() => expect(told.keys).toHaveLength(4), SOON)
  expect(told.keys.map(({ name, text }) => text || name)).toEqual(['ab', 'enter', 'c', 'd'])
})

test('a removed listener receives nothing more, and others do', async () => {
  const { terminal, input, told } = open()
  const others: string[] = []
  const stop = input.subscribe(key => told.keys.push(key))
  input.subscribe(key => others.push(key.text))
  stop()
  terminal.write('a')
  await vi.waitFor(() => expect(others).toEqual(['a']), SOON)
  expect(told.keys).toEqual([])
})

test('replies and focus go to the terminal, in order with the keys', async () => {
  const { terminal, input, told } = open()
  input.subscribe(key => told.keys.push(key))
  terminal.write(`${ESC}[?1u${ESC}[O${ESC}[Ix`)
  await vi.waitFor(() => expect(told.keys.at(-1)?.text).toBe('x'), SOON)
  expect(told.replies).toEqual([`${ESC}[?1u`])
  expect(told.focus).toEqual([false, true])
})

test('the end of the terminal is reported once', async () => {
  const { terminal, input } = open()
  const onEnd = vi.fn<() => void>()
  input.onEnd = onEnd
  terminal.emit('error', new Error('gone'))
  terminal.end()
  await new Promise(resolve => setImmediate(resolve))
  expect(onEnd).toHaveBeenCalledTimes(1)
})
