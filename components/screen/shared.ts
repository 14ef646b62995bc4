import { isSameLine, Styled } from '../../src/text/styled.ts'
import { lookup, put } from '../../src/text/lookup.ts'

/**
 * Returns `after` with every equal part replaced by the object in `before`, so that `===` shows what has changed. For trees of
 * arrays, plain objects and values; objects in `after` may be modified.
 */
export function shared<Value>(before: Value | null, after: Value): Value {
  return before !== null && share(before, after) ? before : after
}

/** Whether both are equal. If not, equal parts inside `after` are replaced by those of `before`. */
function share(before: unknown, after: unknown): boolean {
  if (before === after) return true
  if (before instanceof Styled && after instanceof Styled) return isSameLine(before, after)
  if (Array.isArray(before) && Array.isArray(after)) return shareItems(before, after)
  return isTree(before) && isTree(after) && shareMembers(before, after)
}

function shareItems(before: readonly unknown[], after: unknown[]): boolean {
  let isSame = before.length === after.length
  for (let index = 0; index < after.length; index += 1) {
    if (share(before[index], after[index])) after[index] = before[index]
    else isSame = false
  }
  return isSame
}

function shareMembers(before: Readonly<Record<string, unknown>>, after: Record<string, unknown>): boolean {
  const names = Object.keys(after)
  let isSame = names.length === Object.keys(before).length
  for (const name of names) {
    const [former, value] = [lookup(before, name), lookup(after, name)]
    if (!share(former, value)) isSame = false
    else if (former !== value) put(after, name, former)
  }
  return isSame
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
