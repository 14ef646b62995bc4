/** Facts about a call that needs permission: folder, environment, reason, and the other calls that wait. */
import { isObject } from '../../text/json.ts'
import type { CallContent } from '../../state/question.ts'
import { drawn, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { oneLine, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { wrap } from '../../text/lines/wrap.ts'

const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['command', 'description', 'path', 'content', 'edits'])

/** The reason for the question; '' if there is none, or if a warning says it. */
export function reasonOf({ request: { because }, dangers }: CallContent): SafeText {
  if (because === '' || dangers.includes(because)) return oneLine(sanitizeExact(''))
  return oneLine(sanitizeExact(because.startsWith('the rule ') ? `Reason: ${because}` : sentence(because)))
}

/** The other inputs of a call: folder, environment, arguments that its command does not show. Unsanitised. */
export function surroundings({ request, folder }: CallContent): string[] {
  const where = folder === null ? [] : [`in ${folder}`]
  return request.command === undefined ? where : [...where, ...environment(request.arguments)]
}

function environment(value: unknown): string[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, each]): string[] => {
    if (SHOWN_ELSEWHERE.has(name)) return []
    if ((name === 'env' || name === 'environment') && isObject(each)) {
      return Object.entries(each).map(([key, set]) => `${key}=${String(set)}`)
    }
    return [`${name} ${typeof each === 'string' ? each : JSON.stringify(each)}`]
  })
}

/** A warning with its sign, on as many rows as it needs. */
export function warningLines(words: string, theme: Theme, columns: number): Styled[] {
  return wrap(oneLine(sanitizeExact(words)), Math.max(2, columns - 6)).map(
    (line, index) => drawn`  ${theme.warning(index === 0 ? drawn`! ${line}` : drawn`  ${line}`)}`,
  )
}

/** The other questions that wait, on one line; null for none. */
export function otherLine({ others }: CallContent, theme: Theme, columns: number): Styled | null {
  if (others.length === 0) return null
  const words = oneLine(sanitizeExact(`then: ${others.join('; ')}`), theme.signs.newline)
  return theme.dim(drawn`    ${truncate(words, Math.max(1, columns - 4), theme.signs.ellipsis)}`)
}

/** The agent's title for the call, unless it is shown anyway; some agents send nothing else. Unsanitised. */
export function titleBeside({ request, paths: shown }: CallContent): string[] {
  const { title = '', command, diff, kind, paths = [] } = request
  const hasPaths = command === undefined && (diff !== undefined || kind === 'read')
  return ['', command, ...(hasPaths ? [...paths, ...shown] : [])].includes(title) ? [] : [title]
}
