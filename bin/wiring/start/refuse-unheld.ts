/** Agents whose commands the sandbox could not hold do not start while it is on. */
import type { AgentChoice } from '../../../src/agents/index.ts'
import type { SettingsSource } from '../../../src/config/layers.ts'
import { UserError } from '../../../src/platform/errors.ts'

export type UnheldStart = {
  /** Whether zotui runs the commands of such an agent itself. */
  guarded: boolean
  setBy: SettingsSource
}

/** @throws UserError if the agent would run something outside of the sandbox. */
export function refuseUnheld(choice: AgentChoice, { guarded, setBy }: UnheldStart): void {
  const why = whyUnheld(choice, guarded)
  if (why === null) return
  const isFlag = setBy.kind === 'flag'
  const by = isFlag ? '--sandbox' : `the setting sandbox (${setBy.place})`
  throw new UserError(
    `${by} cannot hold this agent: ${why}.`,
    'Add --sandbox off, or start it in another way.',
    isFlag ? 2 : 1,
  )
}

/** A reason without a full stop; null for an agent that is held. */
function whyUnheld(choice: AgentChoice, guarded: boolean): string | null {
  switch (choice.agent) {
    case 'remote-zot':
    case 'remote-acp':
      return unheldRemote(choice.agent === 'remote-zot' ? 'zot' : choice.found.agent.name)
    case 'zot':
      if (!guarded) return 'with --no-guard zot runs its commands itself'
      return (choice.options.ext ?? []).length > 0 ? 'what extensions (--ext) run is outside of it' : null
    case 'meerkat':
      if (choice.remote) return unheldRemote('Meerkat')
      return guarded ? null : 'with --no-guard Meerkat runs its commands itself'
    case 'roz':
      return choice.remote ? unheldRemote('roz') : null
    case 'acp':
    case 'demo':
      return null
  }
}

const unheldRemote = (name: string): string => `${name} runs on another machine, where there is no sandbox`
