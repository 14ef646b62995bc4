/** Reads keys as a command: registers and counts, an operator, and its target. */
import { isMotion } from './motions.ts'
import { isObject } from './objects.ts'
import type { VimCommand, VimTarget } from './vim.ts'
import { lookup } from '../../text/lookup.ts'

export type ParsedKeys = { kind: 'command'; command: VimCommand } | { kind: 'more' } | { kind: 'none' }

const MORE: ParsedKeys = { kind: 'more' }
const NONE: ParsedKeys = { kind: 'none' }

const OPERATORS: ReadonlySet<string> = new Set(['d', 'c', 'y', '<', '>', 'g~', 'gu', 'gU'])
/** Commands that stand for an operator with a movement. */
const SHORT: Readonly<Record<string, readonly [verb: string, target: string]>> = {
  x: ['d', 'l'],
  X: ['d', 'h'],
  D: ['d', '$'],
  C: ['c', '$'],
  Y: ['y', 'line'],
  s: ['c', 'l'],
  S: ['c', 'line'],
}
const PLAIN: ReadonlySet<string> = new Set([...Array.from('iaIAoOpPJ~.uvVR'), 'gI', 'gJ', 'gv', 'ctrl+r'])
const PLAIN_VISUAL: ReadonlySet<string> = new Set([
  ...Array.from('dxycsDXYCSRpPJ~uUovV<>'),
  'g~',
  'gu',
  'gU',
  'gJ',
  'gv',
])
const REGISTER = /^["\-0-9a-zA-Z_+*]$/

/** Reads the keys of a command from the left. */
class KeysReader {
  readonly #keys: readonly string[]
  #at = 0

  constructor(keys: readonly string[]) {
    this.#keys = keys
  }

  peek(): string | undefined {
    return this.#keys[this.#at]
  }

  next(): string | undefined {
    const key = this.#keys[this.#at]
    this.#at += 1
    return key
  }

  count(): number | null {
    let digits = ''
    while (/^[0-9]$/.test(this.peek() ?? '') && (digits !== '' || this.peek() !== '0')) digits += this.next()
    return digits === '' ? null : Math.min(Number(digits), MOST)
  }

  /** A key, or two if it begins with `g`. */
  name(): string | undefined {
    const first = this.next()
    if (first !== 'g') return first
    const second = this.next()
    return second === undefined ? undefined : `g${second}`
  }
}

/** A count beyond this means everything. */
const MOST = 99_999

/** Reads keys: a command, the beginning of one (`more`), or neither (`none`). */
export function parseKeys(keys: readonly string[], isVisual: boolean): ParsedKeys {
  const reader = new KeysReader(keys)
  let register: string | null = null
  let count: number | null = null
  for (;;) {
    count = times(count, reader.count())
    if (reader.peek() !== '"') break
    reader.next()
    const sign = reader.next()
    if (sign === undefined) return MORE
    if (!REGISTER.test(sign)) return NONE
    register = sign
  }
  const verb = reader.name()
  if (verb === undefined) return MORE
  const command = { register, count, verb, target: null, argument: '' }
  if (isVisual) return inVisual(reader, command)
  const short = lookup(SHORT, verb)
  if (short) return whole({ ...command, verb: short[0], target: { name: short[1], argument: '' } })
  if (OPERATORS.has(verb)) {
    const inner = reader.count()
    return withTarget(reader, { ...command, count: times(count, inner) })
  }
  if (PLAIN.has(verb)) return whole(command)
  return withArgument(reader, command) ?? moving(reader, command)
}

function inVisual(reader: KeysReader, command: VimCommand): ParsedKeys {
  const { verb } = command
  if (PLAIN_VISUAL.has(verb)) return whole(command)
  if (verb === 'i' || verb === 'a') {
    const target = objectOf(reader, verb)
    return typeof target === 'string' ? unfinished(target) : whole({ ...command, verb: 'move', target })
  }
  return withArgument(reader, command) ?? moving(reader, command)
}

/** `r` and the character that it puts. */
function withArgument(reader: KeysReader, command: VimCommand): ParsedKeys | null {
  if (command.verb !== 'r') return null
  const argument = reader.next()
  if (argument === undefined) return MORE
  return argument === 'enter' || isCharacter(argument) ? whole({ ...command, argument }) : NONE
}

function moving(reader: KeysReader, command: VimCommand): ParsedKeys {
  const target = motionOf(reader, command.verb)
  return typeof target === 'string' ? unfinished(target) : whole({ ...command, verb: 'move', target })
}

function withTarget(reader: KeysReader, command: VimCommand): ParsedKeys {
  const { verb } = command
  const first = reader.peek()
  if (first === undefined) return MORE
  if (first === 'i' || first === 'a') {
    reader.next()
    const object = objectOf(reader, first)
    return typeof object === 'string' ? unfinished(object) : whole({ ...command, target: object })
  }
  const name = first === verb.at(-1) ? reader.next() : reader.name()
  if (name === undefined) return MORE
  if (name === verb || name === verb.at(-1)) return whole({ ...command, target: { name: 'line', argument: '' } })
  const target = motionOf(reader, name)
  return typeof target === 'string' ? unfinished(target) : whole({ ...command, target })
}

function objectOf(reader: KeysReader, first: string): VimTarget | 'more' | 'none' {
  const second = reader.next()
  if (second === undefined) return 'more'
  return isObject(first + second) ? { name: first + second, argument: '' } : 'none'
}

function motionOf(reader: KeysReader, name: string): VimTarget | 'more' | 'none' {
  if (!isMotion(name)) return 'none'
  if ('fFtT'.includes(name)) {
    const argument = reader.next()
    if (argument === undefined) return 'more'
    return isCharacter(argument) ? { name, argument } : 'none'
  }
  if (name !== '/' && name !== '?') return { name, argument: '' }
  let argument = ''
  for (;;) {
    const key = reader.next()
    if (key === undefined) return 'more'
    if (key === 'enter') return { name, argument }
    argument += key
  }
}

const whole = (command: VimCommand): ParsedKeys => ({ kind: 'command', command })

const unfinished = (kind: 'more' | 'none'): ParsedKeys => (kind === 'more' ? MORE : NONE)

/** Names of keys have more than one character; what people type are single ones. */
const KEY_NAMES: ReadonlySet<string> = new Set(['enter', 'ctrl+r'])
const isCharacter = (key: string): boolean => !KEY_NAMES.has(key)

function times(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other
  return Math.min(one * other, MOST)
}

/** Whether the keys of an unfinished command are a search that is being typed. */
export function isSearching(keys: readonly string[]): boolean {
  return keys.includes('/') || keys.includes('?')
}
