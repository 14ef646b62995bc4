import { useMemo, useSyncExternalStore } from 'react'
import type { Store } from '../../src/state/store.ts'

/** The part of a store's value that a component shows. `select` runs once for each value. */
export function useSlice<Whole, Slice>(
  store: Pick<Store<Whole>, 'get' | 'subscribe'>,
  select: (whole: Whole) => Slice,
): Slice {
  const whole = useSyncExternalStore(store.subscribe, store.get)
  return useMemo(() => select(whole), [whole, select])
}
