import { expect, test } from 'vitest'
import { parseMouse } from '../../../src/terminal/input/mouse.ts'

test.each([
  ['a press of the left button', '\u001B[<0;1;1M', { kind: 'click', x: 0, y: 0 }],
  ['far beyond what the old form could tell', '\u001B[<0;300;120M', { kind: 'click', x: 299, y: 119 }],
  ['letting go', '\u001B[<0;1;1m', null],
  ['the middle button', '\u001B[<1;5;5M', null],
  ['the right button', '\u001B[<2;5;5M', null],
  ['a press with Shift, which is the terminal’s', '\u001B[<4;5;5M', null],
  ['a press with Alt', '\u001B[<8;5;5M', null],
  ['a press with Ctrl', '\u001B[<16;5;5M', null],
  ['moving with the button held', '\u001B[<32;5;5M', null],
  ['moving', '\u001B[<35;5;5M', null],
  ['the wheel, up', '\u001B[<64;5;5M', { kind: 'wheel', by: -1 }],
  ['the wheel, down', '\u001B[<65;5;5M', { kind: 'wheel', by: 1 }],
  ['the wheel with Shift', '\u001B[<68;5;5M', null],
  ['the wheel, sideways', '\u001B[<66;5;5M', null],
  ['the old form', '\u001B[M !!', null],
  ['more than one', '\u001B[<0;1;1M\u001B[<0;1;1m', null],
  ['what is cut off', '\u001B[<0;1', null],
  ['a key', '\u001B[A', null],
])('%s', (_, bytes, event) => {
  expect(parseMouse(bytes)).toEqual(event)
})
