/** Carries out the requests of attached programs to the agent. */
import type { Backend, OwnSession } from '../agent/backend.ts'
import type { PermissionMode } from '../agent/permission.ts'
import type { HolderCall } from '../agents/background/protocol.ts'
import { QUIET } from '../app/permissions/panel.ts'
import { shortAnswer } from '../conversation/queries/short-answer.ts'
import type { ChatState } from '../conversation/state.ts'
import type { BackgroundPast } from './past.ts'

export type CallParts = {
  backend: Backend
  past: BackgroundPast | null
  useMode: ((mode: PermissionMode) => void) | null
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** The milliseconds for which a question has waited. */
  ageOf: (question: string) => number
  chat: () => ChatState
  /** Runs an operation after the earlier ones have ended. */
  operate: (work: () => Promise<unknown>) => Promise<unknown>
  /** Counts this as in progress until it has ended. */
  count: (work: Promise<unknown>) => Promise<unknown>
  /** Called before a prompt is sent, with the checkpoint that was made for it. */
  onPrompt: (checkpoint: string | null) => void
}

const NOTHING_KEPT = { ok: false, message: 'this conversation has no saved session' } as const

/** Returns a function that carries out a call, and resolves to its value. */
export function createCalls(parts: CallParts): (asked: HolderCall) => Promise<unknown> {
  const { backend, past, useMode, now, ageOf, chat, operate, count, onPrompt } = parts

  return async asked => {
    switch (asked.call) {
      case 'open':
        return operate(async () => open(asked.session))
      case 'close':
        return count(backend.close())
      case 'kill':
        return count(backend.kill())
      case 'prompt':
        return operate(async () => {
          onPrompt(asked.checkpoint ?? null)
          await backend.prompt(asked.prompt)
        })
      case 'clear':
        return operate(async () => backend.clear?.())
      case 'points':
        return past?.points() ?? []
      case 'goBack':
        return operate(async () => past?.goBack(asked.turns, asked.words) ?? NOTHING_KEPT)
      case 'rename':
        return past?.rename(asked.title) ?? NOTHING_KEPT
      case 'noteRestored': {
        const { checkpoint: from, undo, count: files } = asked
        return past?.tell({ type: 'files_restored', at: now(), checkpoint: from, undo, count: files })
      }
      case 'compact':
        return operate(async () => backend.compact?.())
      case 'abort':
        return backend.abort()
      case 'ping':
        return backend.ping?.(asked.timeout)
      case 'listModels':
        return backend.listModels?.()
      case 'listEveryModel':
        return backend.listEveryModel?.()
      case 'setModel':
        return backend.setModel?.(asked.model)
      case 'setReasoning':
        return backend.setReasoning?.(asked.level)
      case 'setOption':
        return backend.setOption?.(asked.option, asked.value)
      case 'answerQuestion':
        return backend.answerQuestion?.(asked.question, asked.values, asked.how)
      case 'answerPermission':
        return backend.answerPermission?.(asked.question, asked.answer, asked.by)
      case 'answerCall':
        return answerCall(asked.question, asked.isAllowed)
      case 'setPermissionMode':
        return useMode?.(asked.mode)
      case 'listRunning':
        return backend.listRunning?.()
      case 'endRunning':
        return backend.endRunning?.(asked.pid)
    }
  }

  function answerCall(id: string, isAllowed: boolean): boolean {
    const call = chat().questions.find(each => each.id === id)
    if (!call || ageOf(id) < QUIET) return false
    const given = shortAnswer(call, isAllowed)
    if (given) backend.answerPermission?.(id, given, 'user')
    return given !== null
  }

  /** Starts the agent, unless another program has started it. */
  async function open(session: OwnSession | undefined): Promise<void> {
    if (chat().agent.phase !== 'ready') await backend.open(session)
  }
}
