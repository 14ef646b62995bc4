/** Lines for the model about what a command in the sandbox wanted beyond it. */
import type { HostWant, LeftPlace } from '../../agent/permission.ts'
import { hostWithPort } from '../../text/host.ts'
import type { ToolOutcome } from '../../local-tools/tool.ts'
import type { CallDecision } from './questions.ts'

type RefusedDecision = Extract<CallDecision, { allowed: false }>

export const RAN_OUTSIDE =
  '[sandbox] This command failed in the sandbox first. The user then let it run again, once, outside of it: this is the result of that run.'

const NO_DETOUR = 'Do not try to reach the same by another way.'

export function refusedHost(want: HostWant, refusal: RefusedDecision): string {
  const what = `connection to ${hostWithPort(want)} refused`
  return refusal.by === 'user' ? byUser(`${what} by the user`, refusal) : byRule(what, refusal)
}

/** It ran once, and its result is that of the sandbox. */
export function stayedInside(refusal: RefusedDecision): string {
  return refusal.by === 'user'
    ? byUser('The user was asked to run this command again outside of the sandbox, and keeps this result', refusal)
    : byRule('This command may not run again outside of the sandbox', refusal)
}

/** How many paths the model is told. */
const NAMED = 5

export function waitsForUser(places: readonly LeftPlace[]): string {
  return `[sandbox] ${named(places)} can decide what runs later. Until the user has looked at it, every command is asked about.`
}

export function removedByUser(places: readonly LeftPlace[]): string {
  return `[sandbox] The user removed what can decide what runs later: ${named(places)}. Do not make it again by another way.`
}

function named(places: readonly LeftPlace[]): string {
  const more = places.length > NAMED ? ` and ${places.length - NAMED} more` : ''
  return `${places
    .slice(0, NAMED)
    .map(({ path }) => path)
    .join(', ')}${more}`
}

function byUser(what: string, { words }: RefusedDecision): string {
  const said = words.trim() === '' ? '' : ` They say: ${words.trim()}`
  return `[sandbox] ${what}. ${NO_DETOUR}${said}`
}

/** The words of a rule, a mode or a hook say what to do. */
function byRule(what: string, { words }: RefusedDecision): string {
  return `[sandbox] ${what}: ${words}`
}

/** The result with these lines: before its last line, which says how the command ended, if it has one. */
export function withNotes(outcome: ToolOutcome, notes: readonly string[]): ToolOutcome {
  const { refused: _refused, ...rest } = outcome
  if (notes.length === 0) return rest
  const lines = notes.join('\n')
  const at = outcome.content.findLastIndex(part => part.type === 'text' && ENDING.test(part.text))
  if (at < 0) return { ...rest, content: [...outcome.content, { type: 'text', text: lines }] }
  const content = outcome.content.map((part, index) =>
    index === at && part.type === 'text'
      ? { ...part, text: part.text.replace(ENDING, ending => `\n${lines}\n${ending}`) }
      : part,
  )
  return { ...rest, content }
}

const ENDING = /\n\[exit -?\d+\] {2}Took \S+$/
