/** Hints that name keys as the user has bound them. */
import { lookup } from './lookup.ts'

/** The keys of each action, the first one first. An action is its context and its name in `keys.json`: `composer.submit`. */
export type KeyNames = ReadonlyMap<string, readonly string[]>

/**
 * The name of the first key of an action; null if it has none. A `usual` key is named instead if it is bound. If not,
 * keys that type a character do not count, since text can be typed there.
 */
export function keyName(names: KeyNames, action: string, usual?: string): string | null {
  const keys = names.get(action) ?? []
  const key = usual === undefined ? keys[0] : keys.includes(usual) ? usual : keys.find(each => !typesText(each))
  return key === undefined ? null : keyLabel(key)
}

/**
 * A hint with the names of keys in its gaps: `{composer.stop} stops`, or `{viewer.leave escape} back` with a usual key. It is ''
 * if one of the actions has no key.
 */
export function keyed(names: KeyNames, hint: string): string {
  let isBound = true
  const text = hint.replaceAll(GAP, (_gap, action: string, usual?: string) => {
    const name = keyName(names, action, usual)
    isBound &&= name !== null
    return name ?? ''
  })
  return isBound ? text : ''
}

/** Hints beside each other, without those whose actions have no keys. */
export function keyedLine(names: KeyNames, hints: readonly string[], gap = '   '): string {
  return hints
    .map(hint => keyed(names, hint))
    .filter(hint => hint !== '')
    .join(gap)
}

const GAP = /\{(\w+\.\w+)(?: (\S+))?\}/g

const typesText = (key: string): boolean => key === 'space' || Array.from(key).length === 1

const KEY_WORDS: Readonly<Record<string, string>> = { escape: 'Esc', pageup: 'PageUp', pagedown: 'PageDown' }

/** `ctrl+j` as people write it: `Ctrl+J`. */
export function keyLabel(key: string): string {
  return key
    .split(' ')
    .map(each => each.split('+').map(partLabel).join('+'))
    .join(' ')
}

function partLabel(part: string, _index: number, parts: readonly string[]): string {
  // A single letter stays as it is: `g` and `G` are different keys.
  if (parts.length === 1 && part.length === 1) return part
  return lookup(KEY_WORDS, part) ?? part.charAt(0).toUpperCase() + part.slice(1)
}
