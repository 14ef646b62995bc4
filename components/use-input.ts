/**
 * Keys for components, in the shape of Ink's `useInput` and `usePaste`. Ink's hooks parse escape sequences; our terminal input
 * has parsed them already.
 */
import { createContext, use, useEffect, useEffectEvent } from 'react'
import type { KeyInput, KeySource } from '../src/terminal/input/input.ts'

/** The source of the components' keys. */
export const KeySourceContext = createContext<KeySource>({ subscribe: () => () => undefined })

/** Calls `handler` with each key and each typed text; `text` is empty for a key. */
export function useInput(handler: (text: string, key: KeyInput) => void): void {
  const source = use(KeySourceContext)
  const onEvent = useEffectEvent((key: KeyInput) => {
    if (key.name !== 'paste') handler(key.text, key)
  })
  useEffect(() => source.subscribe(onEvent), [source])
}

/** Calls `handler` with each pasted text. */
export function usePaste(handler: (text: string, key: KeyInput) => void): void {
  const source = use(KeySourceContext)
  const onEvent = useEffectEvent((key: KeyInput) => {
    if (key.name === 'paste') handler(key.text, key)
  })
  useEffect(() => source.subscribe(onEvent), [source])
}
