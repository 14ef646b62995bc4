/**
 * Keys, for components. In the shape of Ink's `useInput` and `usePaste`, which would take each key apart once more: they read
 * escape sequences only, and the terminal's input has read them already.
 */
import { createContext, use, useEffect, useEffectEvent } from 'react'
import type { KeyInput, KeySource } from '../src/terminal/input.ts'

/** Where the components' keys come from. */
export const KeyContext = createContext<KeySource>({ subscribe: () => () => undefined })

type Options = {
  /** False while somebody else has the keyboard. */
  isActive?: boolean
}

/** Calls `handler` with each key and each text that is typed; `text` is empty for a key. */
export function useInput(handler: (text: string, key: KeyInput) => void, { isActive = true }: Options = {}): void {
  const source = use(KeyContext)
  const hear = useEffectEvent((key: KeyInput) => {
    if (key.name !== 'paste') handler(key.text, key)
  })
  useEffect(() => (isActive ? source.subscribe(hear) : undefined), [isActive, source])
}

/** Calls `handler` with each text that is pasted. */
export function usePaste(handler: (text: string, key: KeyInput) => void, { isActive = true }: Options = {}): void {
  const source = use(KeyContext)
  const hear = useEffectEvent((key: KeyInput) => {
    if (key.name === 'paste') handler(key.text, key)
  })
  useEffect(() => (isActive ? source.subscribe(hear) : undefined), [isActive, source])
}
