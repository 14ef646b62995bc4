import type { ReactNode } from 'react'
import { handOn, type Keyboard } from './keyboard.ts'
import { useInput, usePaste } from './use-input.ts'

type Props = { keyboard: Keyboard }

/** Passes each key to the program; draws nothing. */
export function KeyboardInput({ keyboard }: Props): ReactNode {
  useInput((_text, key) => handOn(key, keyboard))
  usePaste((_text, key) => handOn(key, keyboard))
  return null
}
