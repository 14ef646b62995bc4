/** `/move`: the conversation goes on with its agent and its folder on another machine, or comes back. */
import type { CommandApp } from '../command-app.ts'
import { MoveProblem } from '../../move/problem.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { sentence } from '../../text/sentence.ts'
import type { MoveEnd, MoveParts } from './move-parts.ts'
import { createMoveProgress } from './progress.ts'

const USAGE = '/move build takes this conversation and its folder to ssh build; /move back returns'

export async function moveConversation({ context, turns, choicePrompt }: CommandApp, typed: string): Promise<void> {
  const { hint, addNotice, keyed } = context
  const words = typed.trim()
  const parts = partsOf(context)
  if (typeof parts === 'string') return hint(parts)
  const isBack = words === 'back' || words === 'here'
  if (isBack && !parts.host.remote) return hint('This conversation works on this machine already.')
  if (!isBack && parts.host.remote) return hint('It works on another machine: /move back first.')
  if (words === '') return hint(USAGE)
  const progress = createMoveProgress(context, choicePrompt)
  const done = await turns.machine.alone(
    async () => run({ ...parts, progress }, isBack ? null : words),
    end => (end === 'moved' ? 'not' : end === 'stays' ? 'well' : 'badly'),
  )
  if (done === null)
    return hint(`The agent is working: ${keyed('{composer.stop} stops it, then ') || 'stop it, then '}/move.`)
  const failure = done.value
  if (typeof failure !== 'string') addNotice('error', sentence(`Nothing was moved: ${failure.why}`), failure.hint)
}

type MoveFailure = { why: string; hint: string }

/** `destination` is null for the way back. Never rejects. */
async function run(parts: MoveParts, destination: string | null): Promise<MoveEnd | MoveFailure> {
  try {
    if (destination === null) return await (await import('./back.ts')).comeBack(parts)
    return await (await import('./away.ts')).goAway(parts, destination)
  } catch (error) {
    const why = oneLine(sanitize(error instanceof Error ? error.message : String(error)))
    return { why, hint: error instanceof MoveProblem ? sentence(oneLine(sanitize(error.hint))) : '' }
  } finally {
    parts.progress.end()
  }
}

/** The parts, or why there can be no move. */
function partsOf(context: CommandApp['context']): Omit<MoveParts, 'progress'> | string {
  const { conversations, sessions, host, backend, state } = context
  if (state().startup.demo) return 'The demo runs on this machine only.'
  if (!conversations || !sessions || !host) return 'This conversation cannot move.'
  if (backend.holder) return 'A conversation in the background cannot move.'
  return { context, conversations, sessions, host }
}
