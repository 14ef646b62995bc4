/** The hooks of a conversation of the UI. */
import type { Backend } from '../../../src/agent/backend.ts'
import type { StartSide } from '../../../src/app/context/agents.ts'
import type { ConversationHooks } from '../../../src/hooks/conversation-hooks.ts'
import { hookedAgent } from '../../../src/hooks/hooked-agent.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import type { AppStore } from '../../../src/state/app-store.ts'
import type { UiOptions } from './options.ts'
import { startHooks } from '../start/hooks.ts'

/** Milliseconds after a turn before hooks are told that the agent is idle. */
const IDLE = 60_000

export type UiHooksParts = {
  options: Pick<UiOptions, 'settings' | 'remote' | 'watchdog'>
  /** Whether another process holds the conversation. */
  isInBackground: boolean
  store: AppStore
  backend: Backend
  startSide: StartSide | undefined
  folder: string
  session: () => string | null
  onMessage: (text: string) => void
}

export type UiHooks = { hooks: ConversationHooks; backend: Backend; startSide: StartSide | undefined }

/** If another process holds the conversation, its hooks see the agent, and those of this one only see the prompts. */
export function hookConversation(parts: UiHooksParts): UiHooks {
  const { options, isInBackground, store, backend, startSide, folder, session, onMessage } = parts
  const { settings, remote, watchdog } = options
  const run = startHooks({
    backend,
    settings,
    folder,
    remote,
    watch: watchdog.watch,
    facts: () => ({ session_id: session(), permission_mode: store.get().chat.permissionMode }),
    onMessage,
    onAsked: events => store.dispatch({ type: 'hooks_asked', events }),
    afterIdle(tell) {
      const timer = setTimeout(tell, IDLE)
      timer.unref()
      return () => clearTimeout(timer)
    },
  })
  const { hooks, prompts, doubtOf } = run
  if (isInBackground) return { hooks: { hooks, prompts: { ...prompts, begin() {} }, doubtOf }, backend, startSide }
  const hookedSide: StartSide = async () => {
    const made = await startSide?.()
    if (!made?.ok) return made ?? { ok: false, message: 'there is no second agent' }
    const { backend: side } = hookedAgent({ backend: made.value.backend, hooks, now: dayClock.now, isAside: true })
    return { ok: true, value: { ...made.value, backend: side } }
  }
  return { hooks: { hooks, prompts, doubtOf }, backend: run.backend, startSide: startSide && hookedSide }
}
