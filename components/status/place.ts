/** Where the agent works, and whether it may only read: the header of a screen reader and the status line say both. */
import type { AppState } from '../../src/state/state.ts'
import { empty, joinStyled, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'

export const READ_ONLY = 'read-only'

export function isReadOnly({ startup }: Pick<AppState, 'startup'>): boolean {
  return startup.toolLimit === 'read-only'
}

export const PLACE: readonly FactName[] = ['folder', 'branch']

/** The folder and the branch, as far as `names` has them; only the first if both do not fit. */
export function place({ startup }: Pick<AppState, 'startup'>, theme: Theme, room: number, names = PLACE): Styled {
  const texts = names.map(name => oneLine(sanitize(name === 'folder' ? startup.folder : (startup.branch ?? ''))))
  const shown = texts.filter(text => text !== '')
  const all = joinStyled(shown, theme.isSpoken ? theme.gap : '  ')
  if (displayWidth(all) <= room) return theme.dim(all)
  const [first] = shown
  return first !== undefined && displayWidth(first) <= room ? theme.dim(first) : empty
}

/** A fact of the status line by its name in the setting `statusFacts`. */
export type FactName = AppState['statusFacts'][number]
