/** Carries out the requests of attached programs to the agent. */
import type { Backend } from '../agent/backend.ts'
import type { PermissionMode } from '../agent/permission.ts'
import type { ArgumentsOf, CallName, BackgroundCall, ReplyOf } from '../agents/background/protocol.ts'
import { QUIET } from '../app/permissions/panel.ts'
import { shortAnswer } from '../conversation/queries/short-answer.ts'
import type { ChatState } from '../conversation/state.ts'
import type { BackgroundPast } from './past.ts'
import { changeQueue } from './queue/changes.ts'
import type { AttachedProgram } from './queue/entries.ts'
import type { HeldPrompts } from './queue/held-prompts.ts'

export type CallParts = {
  backend: Backend
  past: BackgroundPast | null
  useMode: ((mode: PermissionMode) => void) | null
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** The milliseconds for which a question has waited. */
  ageOf: (question: string) => number
  chat: () => ChatState
  queue: HeldPrompts
  /** Counts this as in progress until it has ended. */
  count: <Value>(work: Promise<Value>) => Promise<Value>
  /** Called before a prompt is sent, with the checkpoint that was made for it. */
  onPrompt: (checkpoint: string | null) => void
}

type Handlers = { [Name in CallName]: (...args: ArgumentsOf<Name>) => ReplyOf<Name> | Promise<ReplyOf<Name>> }

const NOTHING_KEPT = { ok: false, message: 'this conversation has no saved session' } as const

/** Returns a function that carries out a call of an attached program, and resolves to its value. */
export function createCalls(parts: CallParts): (asked: BackgroundCall, by: AttachedProgram) => Promise<unknown> {
  const { backend, past, useMode, now, ageOf, chat, queue, count, onPrompt } = parts
  const operate: HeldPrompts['beside'] = work => queue.beside(work)

  return async (asked, by) => {
    const carryOut = handlersFor(by)[asked.call] as (...args: readonly unknown[]) => unknown
    return carryOut(...asked.args)
  }

  function handlersFor(by: AttachedProgram): Handlers {
    return {
      open: session =>
        operate(async () => {
          // Another program may have started it.
          if (chat().agent.phase !== 'ready') await backend.open(session)
        }),
      close: () => count(backend.close()),
      kill: () => count(backend.kill()),
      prompt: (prompt, checkpoint) => queue.handIn(prompt, by, () => onPrompt(checkpoint)),
      abort: () => queue.stop(),
      queue: change => changeQueue(queue, change, by),
      compact: () => operate(() => backend.compact()),
      clear: () => operate(() => backend.clear()),
      points: () => [...(past?.points() ?? [])],
      goBack: (turns, words) => operate(async () => past?.goBack(turns, words) ?? NOTHING_KEPT),
      rename: title => past?.rename(title) ?? NOTHING_KEPT,
      noteRestored: (from, undo, files) =>
        past?.publish({ type: 'files_restored', at: now(), checkpoint: from, undo, count: files }),
      ping: timeout => backend.ping(timeout),
      listModels: () => backend.listModels(),
      listEveryModel: () => backend.listEveryModel(),
      setModel: id => backend.setModel(id),
      setReasoning: level => backend.setReasoning(level),
      setOption: (id, value) => backend.setOption(id, value),
      answerQuestion: (...answer) => backend.answerQuestion(...answer),
      answerPermission: (...answer) => backend.answerPermission(...answer),
      answerCall,
      setPermissionMode: mode => useMode?.(mode),
      listRunning: async () => [...(await backend.listRunning())],
      endRunning: pid => backend.endRunning(pid),
      steer: steer => count(backend.steer(steer)),
      withdrawSteer: id => backend.withdrawSteer(id),
      stopTask: id => backend.stopTask(id),
      setFolders: folders => backend.setFolders(folders),
      renameSession: title => backend.renameSession(title),
    }
  }

  function answerCall(id: string, isAllowed: boolean): boolean {
    const call = chat().questions.find(each => each.id === id)
    if (!call || ageOf(id) < QUIET) return false
    const answer = shortAnswer(call, isAllowed)
    if (answer) backend.answerPermission(id, answer, 'user')
    return answer !== null
  }
}
