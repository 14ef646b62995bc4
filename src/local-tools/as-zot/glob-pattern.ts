/**
 * The patterns of zot's `glob`: `*`, `**`, `?`, `[a-z]`, `{a,b}`. Compared without a regular expression, because a model writes them: the
 * steps are at most the product of both lengths.
 */

/** One character that fits, or the choice between several ways to go on. */
type State = { fits: (unit: string) => boolean; next: number } | { ways: readonly number[] }

export type GlobPattern = {
  /** Whether it is compared with the whole path; otherwise with the last name of it. */
  readonly isOfPath: boolean
  matches(path: string): boolean
}

/** Characters of a pattern. People write none as long. */
const LONGEST = 2000

const any = (): boolean => true
const noSlash = (unit: string): boolean => unit !== '/'

/** Null for a pattern that is too long, or has a list such as `[z-a]`. */
export function readGlob(written: string): GlobPattern | null {
  const pattern = written.trim().replace(/^\.\//, '')
  if (pattern.length > LONGEST) return null
  const isOfPath = pattern.includes('/')
  const states = compile(Array.from(pattern), isOfPath ? noSlash : any)
  return states && { isOfPath, matches: path => runs(states, path) }
}

/** `one` is the character that `*` and `?` stand for. The last state is the end. */
function compile(units: readonly string[], one: (unit: string) => boolean): State[] | null {
  const states: State[] = []
  /** The choice that an open brace stands for, and the ends of its parts. */
  let choice: { ways: number[]; ends: State[] } | null = null
  const add = (fits: (unit: string) => boolean): void => void states.push({ fits, next: states.length + 1 })
  const many = (fits: (unit: string) => boolean): void => {
    const at = states.length
    states.push({ ways: [at + 1, at + 2] }, { fits, next: at })
  }
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] ?? ''
    if (unit === '*' && units[at + 1] === '*') {
      at += 1
      if (units[at + 1] === '/') {
        // Any folders, also none.
        at += 1
        const start = states.length
        states.push({ ways: [start + 1, start + 4] })
        many(any)
        add(each => each === '/')
      } else many(any)
    } else if (unit === '*') many(one)
    else if (unit === '?') add(one)
    else if (unit === '{' && isChoice(units, at)) {
      choice = { ways: [states.length + 1], ends: [] }
      states.push({ ways: choice.ways })
    } else if (unit === ',' && choice) {
      endPart(states, choice)
      choice.ways.push(states.length)
    } else if (unit === '}' && choice) {
      endPart(states, choice)
      for (const end of choice.ends) Object.assign(end, { ways: [states.length] })
      choice = null
    } else if (unit === '[' && endOfList(units, at) > 0) {
      const end = endOfList(units, at)
      const list = readList(units.slice(at, end + 1).join(''))
      if (!list) return null
      add(list)
      at = end
    } else add(each => each === unit)
  }
  // An open brace that does not end is a part that nothing follows.
  for (const end of choice?.ends ?? []) Object.assign(end, { ways: [states.length] })
  return states
}

function endPart(states: State[], { ends }: { ends: State[] }): void {
  const end: State = { ways: [] }
  ends.push(end)
  states.push(end)
}

/** Whether a brace has a comma before the next closing one. */
function isChoice(units: readonly string[], at: number): boolean {
  const end = units.indexOf('}', at)
  return end > 0 && units.slice(at, end).includes(',')
}

/** The closing bracket of a list; 0 if there is none. A bracket in the first place is in the list. */
function endOfList(units: readonly string[], at: number): number {
  return Math.max(0, units.indexOf(']', units[at + 1] === ']' ? at + 2 : at + 1))
}

/** A list is one of a regular expression, for one character. */
function readList(list: string): ((unit: string) => boolean) | null {
  try {
    const expression = new RegExp(`^${list.replace(/^\[\]/, '[\\]')}$`, 'u')
    return unit => expression.test(unit)
  } catch {
    return null
  }
}

function runs(states: readonly State[], path: string): boolean {
  let now = new Set<number>()
  enter(states, now, 0)
  for (const unit of path) {
    const next = new Set<number>()
    for (const at of now) {
      const state = states[at]
      if (state && 'fits' in state && state.fits(unit)) enter(states, next, state.next)
    }
    if (next.size === 0) return false
    now = next
  }
  return now.has(states.length)
}

/** Adds a state, and those that it leads to without a character. */
function enter(states: readonly State[], into: Set<number>, first: number): void {
  const waiting = [first]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (into.has(at)) continue
    into.add(at)
    const state = states[at]
    if (state && 'ways' in state) waiting.push(...state.ways)
  }
}
