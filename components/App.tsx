import { useLayoutEffect, useSyncExternalStore, type ReactNode } from 'react'
import type { Controller } from '../src/app/controller.ts'
import { KeyboardInput } from './KeyboardInput.tsx'
import type { LiveScreen } from './live-screen.ts'

type Props = { picture: LiveScreen; controller: Controller }

/** The whole program on the inline screen: what it hears, and what it shows. */
export function App({ picture, controller }: Props): ReactNode {
  return (
    <>
      <KeyboardInput controller={controller} />
      <Frames picture={picture} />
    </>
  )
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
