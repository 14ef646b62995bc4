import { isSameLine, Styled } from '../text/styled.ts'

/**
 * A value that was made anew, with all of it that is as before taken from there: who draws it sees by the objects what has
 * changed. For trees of arrays, plain objects and values; objects of `after` may be changed for that.
 */
export function shared<Value>(before: Value | null, after: Value): Value {
  return before !== null && share(before, after) ? before : after
}

/** Whether both are equal. Where they are not, what is equal inside of `after` becomes that of `before`. */
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
