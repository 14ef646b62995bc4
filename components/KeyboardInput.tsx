import { useInput, usePaste } from 'ink'
import type { ReactNode } from 'react'
import type { Controller } from '../src/app/controller.ts'
import { keyName } from './key-name.ts'

type Props = { controller: Controller }

/** What the program hears; draws nothing. */
export function KeyboardInput({ controller }: Props): ReactNode {
  useInput((input, key) => {
    const name = keyName(input, key)
    if (name === null) controller.type(input)
    else controller.press(name)
  })
  usePaste(text => controller.paste(text))
  return null
}
