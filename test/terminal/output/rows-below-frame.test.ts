import { describe, expect, test } from 'vitest'
import { parsePlace, RowsBelowFrame } from '../../../src/terminal/output/rows-below-frame.ts'

const place = (y: number): { x: number; y: number } => ({ x: 2, y })

describe('the empty rows below the frame', () => {
  test('are known from the cursor position, and later from what is drawn', () => {
    const room = new RowsBelowFrame()
    expect(room.free).toBeNull()
    expect(room.ask(2)).toBe('\u001B[6n')
    room.takePlace(place(10), 24)
    expect(room.free).toBe(11)
    room.take(4)
    expect(room.free).toBe(7)
    room.take(9)
    expect([room.free, room.scrolled]).toEqual([0, 2])
    room.take(-3)
    expect(room.free).toBe(3)
    expect(room.ask(2)).toBe('')
  })

  test('are known even if more was drawn before the answer', () => {
    const room = new RowsBelowFrame()
    room.ask(2)
    room.take(20)
    room.take(-3)
    room.take(1)
    room.takePlace(place(10), 24)
    expect(room.free).toBe(2)
  })

  test('are queried once: a silent terminal is not queried again', () => {
    const room = new RowsBelowFrame()
    room.ask(1)
    room.forget()
    expect(room.ask(1)).toBe('')
    room.takePlace(place(3), 24)
    // That was the answer to what nobody wants to know any more.
    expect(room.free).toBeNull()
    expect(room.ask(1)).not.toBe('')
  })

  test('are not taken from the answer to another query', () => {
    const room = new RowsBelowFrame()
    expect(room.takePlace(place(3), 24)).toBe(false)
    room.ask(5)
    room.takePlace(place(22), 24)
    expect(room.free).toBeNull()
  })
})

test.each([
  { y: 10, moved: false },
  { y: 11, moved: true },
  { y: 8, moved: true },
])('are known after a resize with the cursor in row $y (moved: $moved)', ({ y, moved }) => {
  const room = new RowsBelowFrame()
  room.ask(2)
  room.takePlace(place(10), 24)
  expect(room.askMoved(2, 24)).toBe('\u001B[6n')
  room.forget()
  expect(room.takePlace(place(y), 24)).toBe(moved)
})

test('a resize queries no cursor whose position was unknown', () => {
  expect(new RowsBelowFrame().askMoved(2, 24)).toBe('')
})

test('the cursor position is read from an answer', () => {
  expect(parsePlace('\u001B[11;3R')).toEqual({ x: 2, y: 10 })
  expect(parsePlace('\u001B[?11;3R')).toBeNull()
})
