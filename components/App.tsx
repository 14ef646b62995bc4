import { useInput, usePaste } from 'ink'
import { useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { Controller } from '../src/app/controller.ts'
import { keyName } from './key-name.ts'
import type { Picture } from './picture.ts'

type Props = { picture: Picture; controller: Controller }

/** The whole program on the inline screen: what it hears, and what it shows. */
export function App({ picture, controller }: Props): ReactNode {
  useInput((input, key) => {
    const name = keyName(input, key)
    if (name === null) controller.type(input)
    else controller.press(name)
  })
  usePaste(text => controller.paste(text))
  return <Frames picture={picture} />
}

/**
 * Each frame is put on the terminal as it is committed. Its lines are styled, cut and placed already: as Ink's own texts they
 * would be measured, taken apart and put together again, which was half of all work.
 */
function Frames({ picture }: Pick<Props, 'picture'>): ReactNode {
  const frame = useSyncExternalStore(picture.subscribe, picture.get)
  useLayoutEffect(() => picture.draw(frame), [frame, picture])
  return null
}
