/** Parses the answer of a hook from its exit code and its output. Any invalid answer counts as a doubt. Pure. */
import type { HookEvent } from '../config/hooks.ts'
import { programProblem } from '../platform/shell/ask-program.ts'
import type { ProgramResult, ProgramRun } from '../platform/shell/run-program.ts'
import { isPlainObject } from '../text/json-kinds.ts'
import { parseJson } from '../text/json.ts'
import { lookup } from '../text/lookup.ts'

export type HookAnswer = {
  /** `doubt`: it failed, took too long, or its answer cannot be followed. */
  says: 'nothing' | 'allow' | 'deny' | 'ask' | 'doubt'
  /** The hook's reason; for a doubt, text that completes "a hook ...". */
  reason: string
  /** True if a denial also ends the turn. */
  stops: boolean
  /** A text for the agent. */
  context: string
  /** A text for the user. */
  message: string
}

/** The exit code that blocks: standard error says why. */
const BLOCKS = 2
const LONGEST_REASON = 2000
const LONGEST_CONTEXT = 10_000

export const noAnswer: HookAnswer = { says: 'nothing', reason: '', stops: false, context: '', message: '' }

type AnswerFields = Readonly<Record<string, unknown>>

/** Thrown inside of this file only. */
class NoAnswer extends Error {}

export function readAnswer(
  event: HookEvent,
  end: ProgramResult,
  limits: Pick<ProgramRun, 'timeout' | 'limitBytes'>,
): HookAnswer {
  if (end.how !== 'exited') return doubt(programProblem(end, limits))
  if (end.exitCode === BLOCKS) return { ...noAnswer, says: 'deny', reason: cut(end.errors, LONGEST_REASON) }
  if (end.exitCode !== 0) return doubt(`failed with exit code ${end.exitCode}`)
  const output = end.output.trim()
  if (!output.startsWith('{') && OF_AN_ANSWER.test(output)) return doubt('printed text around its answer')
  if (!output.startsWith('{'))
    return TAKES_TEXT.has(event) ? { ...noAnswer, context: cut(output, LONGEST_CONTEXT) } : noAnswer
  try {
    const fields = parseJson(output)
    return isPlainObject(fields) ? answerOf(event, fields) : doubt('printed JSON that is not valid')
  } catch (error) {
    if (error instanceof NoAnswer) return doubt(error.message)
    throw error
  }
}

/** The fields of an answer: a shell's own files may print something before it, and it must not be lost. */
const OF_AN_ANSWER = /"(?:behavior|continue|decision|hookSpecificOutput|permissionDecision)"\s*:/

/** Events whose hooks may print a plain text for the agent. */
const TAKES_TEXT: ReadonlySet<HookEvent> = new Set(['SessionStart', 'UserPromptSubmit'])

function doubt(reason: string): HookAnswer {
  return { ...noAnswer, says: 'doubt', reason }
}

function answerOf(event: HookEvent, fields: AnswerFields): HookAnswer {
  const own = fields['hookSpecificOutput'] ?? {}
  if (!isPlainObject(own)) throw new NoAnswer('printed a hookSpecificOutput that is not an object')
  const named = own['hookEventName']
  if (named !== undefined && named !== event) throw new NoAnswer('printed the answer to a different event')
  const message = textIn(fields, 'systemMessage', LONGEST_REASON)
  const context = textIn(own, 'additionalContext', LONGEST_CONTEXT)
  const said = { ...noAnswer, message, context }
  if (flagIn(fields, 'continue') === false)
    return { ...said, says: 'deny', stops: true, reason: textIn(fields, 'stopReason', LONGEST_REASON) }
  const common = { ...said, reason: textIn(fields, 'reason', LONGEST_REASON) }
  const decision = wordIn(fields, 'decision', commonDecisions)
  // The more careful of two answers counts.
  const answers = [...(decision ? [{ ...common, says: decision }] : []), ...ownAnswers(event, own, said)]
  return answers.find(({ says }) => says === 'deny') ?? answers.find(({ says }) => says === 'ask') ?? answers[0] ?? said
}

const commonDecisions = { block: 'deny', approve: 'allow' } as const
const toolDecisions = { allow: 'allow', deny: 'deny', ask: 'ask', defer: 'nothing' } as const
const requestDecisions = { allow: 'allow', deny: 'deny' } as const

function ownAnswers(event: HookEvent, own: AnswerFields, said: HookAnswer): HookAnswer[] {
  if (event === 'PreToolUse') {
    refuseInput(own)
    const says = wordIn(own, 'permissionDecision', toolDecisions)
    return says ? [{ ...said, says, reason: textIn(own, 'permissionDecisionReason', LONGEST_REASON) }] : []
  }
  if (event !== 'PermissionRequest' || own['decision'] === undefined) return []
  const decision = own['decision']
  if (!isPlainObject(decision)) throw new NoAnswer('printed a decision that is not an object')
  refuseInput(decision)
  const says = wordIn(decision, 'behavior', requestDecisions)
  if (!says) throw new NoAnswer('printed a decision without behavior')
  const stops = says === 'deny' && flagIn(decision, 'interrupt') === true
  return [{ ...said, says, stops, reason: textIn(decision, 'message', LONGEST_REASON) }]
}

/** Rejects other arguments: a call that a hook allows with these is not allowed with its own. */
function refuseInput(fields: AnswerFields): void {
  if (fields['updatedInput'] !== undefined) throw new NoAnswer('wants to change the arguments, which zotui cannot do')
}

function textIn(fields: AnswerFields, name: string, most: number): string {
  const value = lookup(fields, name)
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new NoAnswer(`printed a ${name} that is not a string`)
  return cut(value, most)
}

function flagIn(fields: AnswerFields, name: string): boolean | null {
  const value = lookup(fields, name)
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw new NoAnswer(`printed a ${name} that is neither true nor false`)
  return value
}

function wordIn<Says extends string>(
  fields: AnswerFields,
  name: string,
  words: Readonly<Record<string, Says>>,
): Says | null {
  const value = lookup(fields, name)
  if (value === undefined || value === null) return null
  const says = typeof value === 'string' ? lookup(words, value) : undefined
  if (says === undefined) throw new NoAnswer(`printed a ${name} that is not one of ${Object.keys(words).join(', ')}`)
  return says
}

function cut(text: string, most: number): string {
  return text.trim().slice(0, most)
}

const mostCarefulFirst = ['deny', 'doubt', 'ask', 'allow'] as const

/** Combines the answers of several hooks to one event: the most careful one counts. */
export function combined(answers: readonly HookAnswer[]): HookAnswer {
  const counts = mostCarefulFirst.flatMap(says => answers.filter(answer => answer.says === says))
  const [first] = counts
  return {
    says: first?.says ?? noAnswer.says,
    reason: first?.reason ?? '',
    stops: counts.some(({ says, stops }) => says === 'deny' && stops),
    context: joined(answers.map(({ context }) => context)),
    message: joined(answers.map(({ message }) => message)),
  }
}

function joined(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join('\n\n')
}
