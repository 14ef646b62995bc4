import type { ReactNode } from 'react'
import type { Controller } from '../src/app/controller.ts'
import type { KeyInput } from '../src/terminal/input/input.ts'
import { useInput, usePaste } from './use-input.ts'

export type Keyboard = Pick<Controller, 'press' | 'type' | 'paste' | 'ignore'>

type Props = { keyboard: Keyboard }

/** Passes each key to the program; draws nothing. */
export function KeyboardInput({ keyboard }: Props): ReactNode {
  useInput((_text, key) => handOn(key, keyboard))
  usePaste((_text, key) => handOn(key, keyboard))
  return null
}

export function handOn({ name, text, raw }: KeyInput, keyboard: Keyboard): void {
  if (name === 'text') keyboard.type(text, raw)
  else if (name === 'paste') keyboard.paste(text, raw)
  else if (name === '') keyboard.ignore(raw)
  else keyboard.press(name, raw)
}
