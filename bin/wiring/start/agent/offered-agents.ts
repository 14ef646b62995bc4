import process from 'node:process'
import { findAgent } from '../../../../src/agents/acp/find-agent.ts'
import { installHint, knownAgents } from '../../../../src/agents/acp/known-agents.ts'
import { findMeerkat, MEERKAT, MEERKAT_HINT } from '../../../../src/agents/meerkat/program.ts'
import { ROZ, ROZ_HINT } from '../../../../src/agents/roz/name.ts'
import { locateZot } from '../../../../src/agents/zot/program/locate.ts'
import type { OfferedAgent } from '../../../../src/app/context/agents.ts'
import { configuredZotPath } from '../load-settings.ts'
import type { AgentStart } from './agent-start.ts'

/** The agents that are known by name, and how to get the missing ones. */
export function offeredAgents({
  settings,
  folder,
  options: { baseUrl },
}: Pick<AgentStart, 'settings' | 'folder' | 'options'>): OfferedAgent[] {
  const { env } = process
  const located = locateZot(configuredZotPath(settings), env, folder)
  const zot = { name: 'zot', title: 'zot', missing: located.ok ? null : located.hint }
  const others = knownAgents.map(known => {
    const found = findAgent(known.name, env, folder)
    return { name: known.name, title: known.title, missing: found.ok ? null : installHint(known) }
  })
  const meerkat = findMeerkat(settings.pathOf('rkatRpc'), env, folder)
  const { name, title } = MEERKAT
  const hasRoz = env[ROZ.key] !== undefined && (baseUrl ?? env[ROZ.address]) !== undefined
  const roz = { name: ROZ.name, title: ROZ.title, missing: hasRoz ? null : ROZ_HINT }
  return [zot, ...others, { name, title, missing: meerkat.ok ? null : MEERKAT_HINT }, roz]
}
