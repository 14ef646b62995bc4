/** All parts of the live zone together. */
import * as fc from 'fast-check'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { viewOf } from '../../components/App.tsx'
import { linesOfLive, type LiveZone } from '../../components/regions.ts'
import { createScreen } from '../../components/screen/screen.ts'
import type { AppState } from '../../src/state/state.ts'
import { accepted, answering, chatAfter, prompt, says, started, step } from '../conversation/events.ts'
import { anySize, anyState } from './arbitrary-states.ts'
import { commands, theme, withChat } from './stage.ts'
import { canvasOf } from './draw.tsx'
import { paintedLines } from '../helpers/lines.ts'
import { aPartOf } from '../helpers/length.ts'

const zoneOf = (state: AppState, size: { columns: number; rows: number }): LiveZone =>
  createScreen(theme, () => commands).draw(state, size).live

test('the components draw the same rows as the frame, whatever was drawn before', async () => {
  const { canvas, output } = canvasOf(80)
  const draw = (node: ReactNode, columns: number): readonly string[] => {
    output.columns = columns
    return paintedLines(canvas.draw(node))
  }
  fc.assert(
    fc.property(anyState, anySize, (state, size) => {
      const zone = zoneOf(state, size)
      expect(draw(viewOf({ kind: 'live', zone }), size.columns)).toEqual(paintedLines(linesOfLive(zone)))
    }),
    aPartOf(200),
  )
  await canvas.unmount()
})

test('unchanged parts are the same objects, so that no component is rendered needlessly', () => {
  const screen = createScreen(theme, () => commands)
  const size = { columns: 80, rows: 24 }
  const during = (text: string, now: number): LiveZone => {
    const chat = chatAfter(started, prompt('go'), accepted, step(1), answering, says(text))
    return screen.draw(withChat(chat, { now }), size).live
  }
  const before = during('One', 1000)
  const more = during('One two', 1000)
  expect(more.conversation).not.toBe(before.conversation)
  expect([more.progress, more.input, more.below]).toEqual([before.progress, before.input, before.below])
  expect(more.progress).toBe(before.progress)
  expect(more.input).toBe(before.input)
  expect(more.below).toBe(before.below)

  const later = during('One two', 9000)
  expect(later.conversation).toBe(more.conversation)
  expect(later.progress).not.toBe(more.progress)
  expect(during('One two', 9000)).toBe(later)
})
