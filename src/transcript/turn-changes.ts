/** The line at the end of a turn that names the files changed by the agent's edits, writes and commands. */
import { counted } from '../text/counted.ts'
import type { CommandChange, Turn } from '../conversation/state.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../text/sanitize.ts'
import { shortenPath } from '../text/lines/shorten.ts'
import { displayWidth } from '../text/lines/width.ts'
import { changedByCalls } from '../tools/changed-calls.ts'
import { joinStyled, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'

/** Columns that one name may take beside others. */
const LONGEST_NAME = 40
/** A name cut to fewer columns is unreadable. */
const SHORTEST_NAME = 12
const WHERE = '/diff'

export type TurnChangesContext = {
  theme: Theme
  width: number
  /** Whether the reader can type `/diff`. */
  offersDiff: boolean
}

/** Null if no file changed. Changes by commands are known only if git answered in time: `/diff` asks it again. */
export function turnChangesLine(turn: Turn, { theme, width, offersDiff }: TurnChangesContext): Styled | null {
  const calls = changedByCalls(turn.parts)
  const files: CommandChange[] = [...calls, ...turn.byCommands.files]
  const number = calls.length + turn.byCommands.count
  if (files.length === 0) return null
  const { gap, isSpoken } = theme
  const head = sanitize(`changed ${counted(number, 'file')}`)
  const { added, removed, about } = totals(files)
  const isKnown = added + removed > 0 || about === ''
  const counts = isSpoken
    ? theme.dim(sanitize(`${about}${counted(added, 'line')} added, ${removed} removed`))
    : joinStyled([
        theme.dim(sanitize(about)),
        theme.added(sanitize(`+${added}`)),
        sanitize(' '),
        theme.removed(sanitize(`-${removed}`)),
      ])
  const start = joinStyled([theme.dim(head), ...(isKnown ? [counts] : [])], gap)
  const where = offersDiff ? [theme.dim(sanitize(WHERE))] : []
  if (isSpoken)
    return joinStyled([start, theme.dim(namesIn(files, number, Number.POSITIVE_INFINITY, theme)), ...where], gap)
  const room = width - displayWidth(start) - gap.length
  const beside = namesIn(files, number, offersDiff ? room - WHERE.length - gap.length : room, theme)
  if (beside !== '') return joinStyled([start, theme.dim(beside), ...where], gap)
  const alone = namesIn(files, number, room, theme)
  return joinStyled(alone === '' ? [start, ...where] : [start, theme.dim(alone)], gap)
}

function totals(files: readonly CommandChange[]): { added: number; removed: number; about: string } {
  const sum = (of: 'added' | 'removed'): number => files.reduce((all, file) => all + file[of], 0)
  return { added: sum('added'), removed: sum('removed'), about: files.some(file => file.isEstimate) ? 'about ' : '' }
}

/** As many names as fit, and the number of the others; '' if not even one is readable. */
function namesIn(files: readonly CommandChange[], number: number, room: number, { signs }: Theme): SafeText {
  const names = files.map(({ path }) => oneLine(sanitizeExact(path)))
  const most = room === Number.POSITIVE_INFINITY ? room : Math.min(LONGEST_NAME, room)
  for (let count = names.length; count > 0; count -= 1) {
    const left = number - count
    const rest = left > 0 ? `, ${left} more` : ''
    const each = count === 1 ? Math.min(most, room - rest.length) : most
    const isReadable = each >= SHORTEST_NAME || displayWidth(names[0] ?? '') <= each
    const shown = names
      .slice(0, count)
      .map(name => (each === Number.POSITIVE_INFINITY ? name : shortenPath(name, Math.max(1, each), signs.ellipsis)))
    const text = `${shown.join(', ')}${rest}`
    if (isReadable && displayWidth(text) <= room) return oneLine(sanitize(text))
  }
  return sanitize('')
}
