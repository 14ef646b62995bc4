import { isSameLine, Styled } from '../text/styled.ts'

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
  if (!isTree(before) || !isTree(after)) return false
  const keys = Object.keys(after)
  let isSame = keys.length === Object.keys(before).length
  for (const key of keys) {
    if (share(before[key], after[key])) after[key] = before[key]
    else isSame = false
  }
  return isSame
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
