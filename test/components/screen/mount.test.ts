/** The program on the terminal: its first frames are written without React and Ink, which then take over. */
import { PassThrough, Writable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Keyboard } from '../../../components/keyboard.ts'
import { mount } from '../../../components/screen/mount.ts'
import { createEditor, edit } from '../../../src/composer/editor.ts'
import { createFirstScreen } from '../../../components/screen/first-screen.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { reduceApp } from '../../../src/state/reduce.ts'
import { initialState } from '../../../src/state/state.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { TerminalInput } from '../../../src/terminal/input/input.ts'
import { TerminalOutput } from '../../../src/terminal/output/output.ts'
import type { TerminalStream } from '../../../src/terminal/output/terminal-writer.ts'
import { commands, theme } from '../stage.ts'

function mounted() {
  let written = ''
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    written += chunk.toString()
    done()
  }
  const stream = Object.assign(new Writable({ write }), { columns: 80, rows: 24 })
  const output = new TerminalOutput(stream as TerminalStream)
  const source = new PassThrough()
  const input = new TerminalInput(source as unknown as ReadStream, { onReply() {}, onFocus() {} })
  const place = { version: '1.0.0', folder: '~/project', branch: null, demo: true }
  const store = createAppStore(initialState(place, 0), reduceApp)
  const screen = createFirstScreen(theme)
  const program = mount({ store, screen, input, output })
  const typed: string[] = []
  const keyboard: Keyboard = {
    type: text => void typed.push(text),
    press: name => void typed.push(name),
    paste: text => void typed.push(text),
    ignore() {},
  }
  const alternateScreen = { isOpen: () => false, pause() {}, resume() {}, redraw() {}, onPage: null }
  const connect = (): void => {
    screen.handOver(createScreen(theme, () => commands))
    program.connect({ keyboard, alternateScreen, loadPages: async () => undefined, images: null })
  }
  const taken = (): string => {
    const before = written
    written = ''
    return before
  }
  const type = async (text: string): Promise<void> => {
    source.write(text)
    await setImmediate()
  }
  return { program, store, typed, keyboard, connect, taken, type }
}

/** Waits for the later work of React. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

test('the first frame is written at once, and the components that take over write nothing', async () => {
  const { program, store, connect, taken } = mounted()
  expect(taken()).toContain('zotui 1.0.0')
  connect()
  program.show()
  await settled()
  expect(taken()).toBe('')
  store.dispatch({ type: 'hinted', hint: 'soon' })
  await settled()
  expect(taken()).toContain('soon')
  await program.loadComponents()
  await settled()
  expect(taken()).toBe('')
  store.dispatch({ type: 'hinted', hint: 'later' })
  await settled()
  expect(taken()).toContain('later')
  await program.unmount()
})

test('each key arrives once, in order, whenever it is typed', async () => {
  const { program, typed, connect, type } = mounted()
  await type('a')
  expect(typed).toEqual([])
  connect()
  await type('b')
  expect(typed).toEqual(['a', 'b'])
  const loaded = program.loadComponents()
  await type('c')
  await loaded
  await type('d')
  await settled()
  await type('e')
  await settled()
  expect(typed).toEqual(['a', 'b', 'c', 'd', 'e'])
  await program.unmount()
})

test('what is typed before the program takes keys is shown at once, and is handed over without a frame between', async () => {
  const { program, store, typed, keyboard, connect, taken, type } = mounted()
  taken()
  await type('helo')
  await type('\x7f')
  await type('lo')
  expect(store.get().editor.text).toBe('hello')
  expect(taken()).toContain('lo')
  keyboard.type = text => {
    const { editor } = store.get()
    typed.push(text)
    store.dispatch({ type: 'edited', editor: edit(editor, { kind: 'insert', text }, 80) })
  }
  keyboard.press = () =>
    store.dispatch({ type: 'edited', editor: edit(store.get().editor, { kind: 'deleteLeft' }, 80) })
  connect()
  await settled()
  expect(typed.join('')).toBe('helolo')
  expect(store.get().editor.text).toBe('hello')
  expect(taken()).toBe('')
  await program.unmount()
})

test('answers of the terminal change nothing, and do not end the showing of what is typed early', async () => {
  const { program, store, typed, connect, taken, type } = mounted()
  let changes = 0
  store.subscribe(() => (changes += 1))
  await type('\u001B[?1;2c\u001B[4;3R')
  expect(changes).toBe(0)
  await type('a')
  taken()
  await type('b')
  expect(store.get().editor.text).toBe('ab')
  expect(taken()).toContain('b')
  connect()
  await settled()
  expect(typed).toEqual(['a', 'b'])
  await program.unmount()
})

test('from a key on that may do more than edit the text nothing is shown before the program takes it', async () => {
  const { program, store, typed, connect, type } = mounted()
  await type('/help')
  await type('\r')
  await type('more')
  expect(store.get().editor.text).toBe('/help')
  connect()
  await settled()
  expect(typed).toEqual(['/help', 'enter', 'more'])
  expect(store.get().editor.text).toBe('')
  await program.unmount()
})

test('a draft of the last session stays when early keys are handed over', async () => {
  const { program, store, connect, type } = mounted()
  await type('x')
  connect()
  store.dispatch({ type: 'edited', editor: createEditor('a draft') })
  await settled()
  expect(store.get().editor.text).toBe('a draft')
  await program.unmount()
})

test('a program that ends before the components are loaded ends without them', async () => {
  const { program, connect, taken } = mounted()
  connect()
  const loaded = program.loadComponents()
  await program.unmount()
  await loaded
  await settled()
  expect(taken()).toContain('zotui 1.0.0')
})
