/** Finds the allow rules that cover one command of a line, and the redirections that none covers. */
import { coversPath, pathOf } from './call-paths.ts'
import { pathInside } from '../paths.ts'
import { exactWords, matchWords } from './command-pattern.ts'
import type { Place } from '../policy.ts'
import { protection } from '../protected.ts'
import type { Rule } from './rule.ts'
import { withInner, type SimpleCommand } from '../shell/line.ts'

/** The rules that allow a command and every command that it runs; null if one of them is not allowed. */
export function coveringRules(command: SimpleCommand, allowing: readonly Rule[]): readonly Rule[] | null {
  const words = exactWords(command)
  const own = command.isTransparent && command.assignments.length === 0 ? [] : null
  const found = allowing.flatMap(rule => {
    const pattern = rule.command
    if (!pattern || matchWords(pattern, words) !== 'yes') return []
    const isFixed = !pattern.words.some(({ fits }) => fits === null)
    const count = isFixed ? pattern.words.length - command.assignments.length : 0
    return [{ rule, all: namesInner(command, count) }]
  })
  const whole = found.find(({ all }) => all)
  if (whole) return [whole.rule]
  const rest = found[0] ? [found[0].rule] : own
  if (rest === null || command.inner.length === 0) return null
  const inner = command.inner.map(each => coveringRules(each, allowing))
  return inner.every(rules => rules !== null) ? [...rest, ...inner.flat()] : null
}

/**
 * Whether a rule that names the first `count` words names all commands that it runs, and so allows them: `sudo xargs rm`, but not
 * `sudo xargs`.
 */
function namesInner({ words, inner, innerFrom }: SimpleCommand, count: number): boolean {
  if (inner.length === 0) return true
  if (count <= innerFrom) return false
  // The other commands are before the last one, or are in one word.
  return inner.every(each => each.words[0] !== words[innerFrom] || namesInner(each, count - innerFrom))
}

/** Relative paths are resolved against the folder `from`; null if it is unknown. */
type Area = { place: Place; from: string | null; edits: boolean }

/** The reason why a redirection of a command, or of one that it runs, is not allowed; null if all are allowed. */
export function redirectionReason(
  command: SimpleCommand,
  allowing: readonly Rule[],
  { place, from, edits }: Area,
): string | null {
  for (const { target, writes } of withInner(command).flatMap(({ redirections }) => redirections)) {
    if (target === null || target.value === '/dev/null') continue
    const reason = `it ${writes ? 'writes' : 'reads'} ${target.text}`
    if (target.value === null || target.text.startsWith('~') || (from === null && !target.value.startsWith('/')))
      return reason
    const { real } = pathOf(target.value, place, from ?? place.folder)
    const isInside = pathInside(place.folder, real) !== null
    const files = allowing.filter(({ tool }) => (writes ? tool === 'edit' || tool === 'write' : tool === 'read'))
    if (files.some(rule => coversPath(rule, real, place))) continue
    if (!isInside || (writes && (!edits || protection(real, place) !== null))) return reason
  }
  return null
}
