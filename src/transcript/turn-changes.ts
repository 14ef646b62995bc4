/** The end of a turn's line: how many lines the agent's edits, writes and commands changed, and in which files. */
import { counted } from '../text/counted.ts'
import type { CommandChange, Turn } from '../conversation/state.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../text/sanitize.ts'
import { shortenPath } from '../text/lines/shorten.ts'
import { displayWidth } from '../text/lines/width.ts'
import { changedByCalls } from '../tools/changed-calls.ts'
import type { Fact } from '../style/facts-line.ts'
import { joinStyled, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'

/** Columns that one name may take beside others. */
const LONGEST_NAME = 40
/** A name cut to fewer columns is unreadable. */
const SHORTEST_NAME = 12
const WHERE = sanitize('/diff')

/** All changed files, and their number: not all files that commands changed are kept. */
function changedFiles({ parts, byCommands }: Turn): { files: CommandChange[]; number: number } {
  const calls = changedByCalls(parts)
  return { files: [...calls, ...byCommands.files], number: calls.length + byCommands.count }
}

/** The changed lines; none if no file changed. Changes by commands are known only if git answered in time: `/diff` asks it again. */
export function changeFacts(turn: Turn, { dim, added, removed, isSpoken }: Theme, rank: number): Fact[] {
  const { files, number } = changedFiles(turn)
  if (files.length === 0) return []
  const lines = totals(files)
  const isKnown = lines.added + lines.removed > 0 || lines.about === ''
  const head = sanitize(`changed ${counted(number, 'file')}`)
  if (isSpoken && isKnown)
    return [
      { text: head, rank },
      { text: sanitize(`${lines.about}${counted(lines.added, 'line')} added`), rank },
      { text: sanitize(`${lines.removed} removed`), rank },
    ]
  if (!isKnown) return [{ text: dim(head), rank }]
  const signs = [added(sanitize(`+${lines.added}`)), removed(sanitize(`-${lines.removed}`))]
  return [{ text: joinStyled([dim(sanitize(lines.about)), joinStyled(signs, ' ')]), rank }]
}

/** The names of the changed files in what is left of `room`, or else their number, and the command that shows the changes. */
export function changedNames(
  turn: Turn,
  { theme, room, takesCommands }: { theme: Theme; room: number; takesCommands: boolean },
): Styled[] {
  const { files, number } = changedFiles(turn)
  if (files.length === 0) return []
  const gap = theme.gap.length
  const where = takesCommands ? [WHERE] : []
  const beside = namesIn(files, number, room - gap - (takesCommands ? gap + WHERE.length : 0), theme)
  const alone = beside === '' ? namesIn(files, number, room - gap, theme) : ''
  const count = sanitize(counted(number, 'file'))
  const words = beside !== '' ? [beside, ...where] : alone !== '' ? [alone] : gap + count.length <= room ? [count] : []
  return words.map(each => theme.dim(each))
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
