import { Text } from 'ink'
import { useState, type ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { KeyboardInput } from '../../components/KeyboardInput.tsx'
import { useInput, usePaste } from '../../components/use-input.ts'
import { canvasOf } from './draw.tsx'
import { textsOf } from '../helpers/lines.ts'

const SOON = { interval: 2, timeout: 5000 }

function Listener({ heard }: { heard: string[] }): ReactNode {
  useInput((text, key) => void heard.push(text === '' ? key.name : `${text} by ${key.raw}`))
  usePaste(text => void heard.push(`pasted ${text}`))
  return null
}

/** A listener begins to listen a little behind the frame. */
function drawnOn(node: ReactNode): ReturnType<typeof canvasOf> {
  const place = canvasOf(40)
  place.canvas.draw(node)
  return place
}

test('useInput receives keys, text and pastes', async () => {
  const heard: string[] = []
  const { canvas, send } = drawnOn(<Listener heard={heard} />)
  await vi.waitFor(() => {
    send({ name: 'ctrl+j' })
    expect(heard).toContain('ctrl+j')
  }, SOON)
  send({ name: 'text', text: 'A', raw: '\u001B[97;2u' })
  send({ name: 'paste', text: 'one\ntwo' })
  expect(heard.slice(-2)).toEqual(['A by \u001B[97;2u', 'pasted one\ntwo'])
  await canvas.unmount()
  send({ name: 'enter' })
  expect(heard).not.toContain('enter')
})

test.each([
  [{ name: 'ctrl+j', raw: '\n' }, ['press', 'ctrl+j', '\n']],
  [{ name: 'text', text: 'ä', raw: 'ä' }, ['type', 'ä', 'ä']],
  [{ name: 'paste', text: 'a\nb', raw: 'b' }, ['paste', 'a\nb', 'b']],
  [{ name: '', raw: '\u001B[I' }, ['ignore', '\u001B[I']],
])('%j is passed on to the program', async (key, called) => {
  const calls: unknown[][] = []
  const hear =
    (what: string) =>
    (...given: unknown[]): void =>
      void calls.push([what, ...given])
  const keyboard = { press: hear('press'), type: hear('type'), paste: hear('paste'), ignore: hear('ignore') }
  const { canvas, send } = drawnOn(<KeyboardInput keyboard={keyboard} />)
  await vi.waitFor(() => {
    send(key)
    expect(calls[0]).toEqual(called)
  }, SOON)
  await canvas.unmount()
})

function Counter(): ReactNode {
  const [count, setCount] = useState(0)
  useInput(() => setCount(count + 1))
  return <Text>{count} keys</Text>
}

test('a component that changes its own state is drawn again', async () => {
  const { canvas, send } = drawnOn(<Counter />)
  const seen: string[] = []
  canvas.onDrawn = (_view, rows) => void seen.push(textsOf(rows).join('\n'))
  await vi.waitFor(() => {
    if (seen.length === 0) send({ name: 'enter' })
    expect(seen.at(-1)).toMatch(/^[1-9]\d* keys$/)
  }, SOON)
  await canvas.unmount()
})
