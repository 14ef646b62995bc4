/** Starts the hooks of a conversation and connects them with its agent. */
import process from 'node:process'
import type { Backend } from '../../../src/agent/backend.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { hookedAgent, type HookedAgent, type HookedAgentOptions } from '../../../src/hooks/hooked-agent.ts'
import type { HookFacts } from '../../../src/hooks/hook-runs.ts'
import { createHooks, type Hooks, type HooksOptions } from '../../../src/hooks/hooks.ts'
import { createPromptHooks, type PromptHooks } from '../../../src/hooks/prompts.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import type { Watch } from '../../../src/platform/watchdog.ts'
import type { Remote } from './remote.ts'

export type HookWiring = Pick<HooksOptions, 'onMessage' | 'onAsked'> &
  Pick<HookedAgentOptions, 'afterIdle'> & {
    backend: Backend
    settings: Pick<SettingsStore, 'hooks'>
    folder: string
    /** The machine of that folder; null for this one. The hooks run here. */
    remote: Remote | null
    facts: () => Pick<HookFacts, 'session_id' | 'permission_mode'>
    watch: Watch
  }

export type HookedRun = HookedAgent & { hooks: Hooks; prompts: PromptHooks }

export function startHooks(wiring: HookWiring): HookedRun {
  const { backend, settings, folder, remote, facts, watch, onMessage, onAsked, afterIdle } = wiring
  const hooks = createHooks({
    written: settings.hooks,
    facts: () => ({
      ...facts(),
      cwd: remote?.survey.folder ?? folder,
      machine: remote?.name ?? null,
      agent: backend.name,
    }),
    folder: remote ? process.cwd() : folder,
    env: process.env,
    now: dayClock.now,
    watch,
    onMessage,
    ...(onAsked && { onAsked }),
  })
  const prompts = createPromptHooks(hooks)
  const onCleared = (): void => prompts.begin('clear')
  const agent = hookedAgent({ backend, hooks, now: dayClock.now, onCleared, ...(afterIdle && { afterIdle }) })
  return { ...agent, hooks, prompts }
}
