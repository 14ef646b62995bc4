/**
 * Permissions of a conversation in the background: a call that needs an answer waits until a program attaches and
 * answers.
 */
import type { Backend, ModeChoice } from '../agent/backend.ts'
import type { PermissionMode, ToolRequest } from '../agent/permission.ts'
import type { CallJudge } from '../app/permissions/judge.ts'
import type { RunPermissions } from '../print/permissions.ts'

export type BackgroundPermissions = RunPermissions & {
  mode: () => PermissionMode
  judge: CallJudge
  /** Switches the mode for the calls to come. */
  use: (mode: PermissionMode) => void
}

/** `judgeOf` creates the judge for the current mode. */
export function createBackgroundPermissions(
  { mode: first, isChosen, isNow = false }: ModeChoice,
  judgeOf: (mode: () => PermissionMode) => CallJudge,
): BackgroundPermissions {
  let mode = first
  let backend: Backend | null = null
  const judge = judgeOf(() => mode)
  return {
    mode: () => mode,
    judge,
    use(requested) {
      mode = requested
      backend?.setPermissionMode(mode)
    },
    async begin(agent) {
      backend = agent
      if (!agent.abilities.has('judgeWith')) return
      await judge.load()
      agent.judgeWith(judge.decide)
      agent.setPermissionMode(mode)
      agent.startIn({ mode, isChosen, isNow })
    },
    heed(event) {
      if (event.type !== 'permission_requested') return event
      const { type: _type, at: _at, because: _because, ...request } = event
      // An agent with its own answers asks even if everything may run.
      if (event.options && isAllowed(request)) queueMicrotask(() => allow(event.id))
      return event
    },
    end() {},
    unaskedWarning: () => null,
    hasRefused: () => false,
  }

  function isAllowed(request: ToolRequest): boolean {
    return mode === 'allow' && judge.judge(request).verdict === 'allow'
  }

  function allow(id: string): void {
    backend?.answerPermission(id, { answer: 'allow' }, 'rule')
  }
}
