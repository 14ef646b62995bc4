import type { InputRouter } from '../src/app/input/input-router.ts'
import type { KeyInput } from '../src/terminal/input/input.ts'

/** The part of the program that takes keys. */
export type Keyboard = InputRouter

export function handOn({ name, text, raw }: KeyInput, keyboard: Keyboard): void {
  if (name === 'text') keyboard.type(text, raw)
  else if (name === 'paste') keyboard.paste(text, raw)
  else if (name === '') keyboard.ignore(raw)
  else keyboard.press(name, raw)
}
