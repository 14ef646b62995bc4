import { Box, useCursor, useInput, usePaste } from 'ink'
import { useSyncExternalStore, type ReactNode } from 'react'
import type { Controller } from '../src/app/controller.ts'
import { History } from './History.tsx'
import { keyName } from './key-name.ts'
import { Lines } from './Lines.tsx'
import type { Picture } from './picture.ts'

type Props = { picture: Picture; controller: Controller }

/** The whole program on the inline screen: what is finished, and the live zone below it. */
export function App({ picture, controller }: Props): ReactNode {
  const { committed, live } = useSyncExternalStore(picture.subscribe, picture.get)
  const { setCursorPosition } = useCursor()
  // The terminal's own cursor stands at the caret: input methods draw there.
  setCursorPosition(live.cursor)
  useInput((input, key) => {
    const name = keyName(input, key)
    if (name === null) controller.type(input)
    else controller.press(name)
  })
  usePaste(text => controller.paste(text))
  return (
    <>
      <History committed={committed} onPrinted={picture.printed} />
      <Box flexDirection="column">
        <Lines lines={live.open} />
        <Lines lines={live.working} />
        <Lines lines={live.composer} />
        <Lines lines={live.below} />
      </Box>
    </>
  )
}
