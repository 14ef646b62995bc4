/** Facts about a call that is asked: its folder, its environment, why it is asked, and what else waits. */
import type { CallContent } from '../../state/question.ts'
import { drawn, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { oneLine, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { truncate } from '../../text/lines/shorten.ts'

/** Arguments of a command that its text does not show. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['command', 'description', 'path', 'content', 'edits'])

/** Why it is asked; '' if nobody says. */
export function reasonOf({ request: { because } }: CallContent): SafeText {
  return oneLine(sanitizeExact(because === '' ? '' : `Reason: ${because}`))
}

/** The rest that a call is given: another folder, the environment, arguments that its command does not show. Unsanitised. */
export function surroundings({ request, folder }: CallContent): string[] {
  const where = folder === null ? [] : [`in ${folder}`]
  return request.command === undefined ? where : [...where, ...environment(request.arguments)]
}

function environment(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]: [string, unknown]): string[] => {
    if (SHOWN_ELSEWHERE.has(name)) return []
    if ((name === 'env' || name === 'environment') && typeof each === 'object' && each !== null) {
      return Object.entries(each).map(([key, set]: [string, unknown]) => `${key}=${String(set)}`)
    }
    return [`${name} ${typeof each === 'string' ? each : JSON.stringify(each)}`]
  })
}

/** The questions that wait behind it, on one line; null for none. */
export function otherLine({ others }: CallContent, theme: Theme, columns: number): Styled | null {
  if (others.length === 0) return null
  const words = oneLine(sanitizeExact(`then: ${others.join('; ')}`), theme.signs.newline)
  return theme.dim(drawn`    ${truncate(words, Math.max(1, columns - 4), theme.signs.ellipsis)}`)
}

/** The agent's own words for the call, unless they are shown anyway; in some agents they are all that is told. Unsanitised. */
export function titleBeside({ request, paths: shown }: CallContent): string[] {
  const { title = '', command, diff, kind, paths = [] } = request
  const hasPaths = command === undefined && (diff !== undefined || kind === 'read')
  return ['', command, ...(hasPaths ? [...paths, ...shown] : [])].includes(title) ? [] : [title]
}
