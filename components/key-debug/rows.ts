/** The rows of `/keys debug` below the composer. */
import type { SeenKey } from '../../src/state/state.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../src/text/lines/width.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyFact, keysLine } from '../../src/style/list-window.ts'
import { type Panel, rowsOnly } from '../regions.ts'
import { spoken } from '../../src/text/spoken.ts'

export const keyDebug: Panel = {
  name: 'key-debug',
  least: 2,
  draw: ({ state: { watched, keyNames }, theme, columns }, room) =>
    watched && rowsOnly(keyDebugLines(watched, { theme, columns, keyNames }, room)),
  /** The title when keys begin to be shown; then each key. */
  spoken(before, { watched, keyNames }) {
    if (!watched || watched === before.watched) return []
    const fresh = watched.filter(key => !before.watched?.includes(key))
    return [...(before.watched ? [] : [keyDebugTitle(keyNames)]), ...keyRows(fresh).map(spoken)]
  },
}

/** The key that ends `/keys debug`. That of force_quit cannot be unbound. */
function endWords(names: KeyNames): string {
  return keyed(names, '{composer.interrupt} ends it.') || keyed(names, '{composer.force_quit} ends zotui.')
}

function keyDebugTitle(names: KeyNames): SafeText {
  const about = 'Each key is listed with its bytes, its name and its action, but does nothing.'
  return sanitize(`${about} ${endWords(names)}`)
}

/** The bytes, the name of the key and the action. */
export type KeyDebugRow = readonly [bytes: SafeText, key: SafeText, action: SafeText]

/** A row for each key. If the terminal sent something else, such as a report, the row says so. */
export function keyRows(keys: readonly SeenKey[]): KeyDebugRow[] {
  return keys.map(({ bytes, key, action }) => [safe(bytes), safe(key ?? 'no key'), safe(action ?? '')])
}

const safe = (text: string): SafeText => oneLine(sanitize(text))

/** A row for each key, the newest last, in at most `room` rows. */
function keyDebugLines(
  keys: readonly SeenKey[],
  { theme, columns, keyNames }: { theme: Theme; columns: number; keyNames: KeyNames },
  room: number,
): Styled[] {
  const { ellipsis } = theme.signs
  const rows = keyRows(keys.slice(-Math.max(1, room - 1)))
  const most = Math.floor(columns / 3)
  const widest = (at: 0 | 1): number => Math.min(most, Math.max(0, ...rows.map(row => displayWidth(row[at]))))
  const [bytes, names] = [widest(0), widest(1)]
  const cell = (text: SafeText, width: number): SafeText => padTo(truncate(text, width, ellipsis), width)
  const lines = rows.map(([sent, key, action]) => {
    const done = truncate(action, Math.max(1, columns - bytes - names - 10), ellipsis)
    return drawn`  ${theme.strong(cell(sent, bytes))}   ${cell(key, names)}   ${theme.dim(done)}`
  })
  const title = { text: keyDebugTitle(keyNames), rank: 1, shorter: keyFact(endWords(keyNames), 0) }
  return [keysLine([title], { theme, columns }), ...lines]
}
