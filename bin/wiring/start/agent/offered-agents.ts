import process from 'node:process'
import { findAgent, installHint, knownAgents } from '../../../../src/agents/acp/known-agents.ts'
import { findMeerkat, MEERKAT, MEERKAT_HINT } from '../../../../src/agents/meerkat/program.ts'
import { ROZ, ROZ_HINT } from '../../../../src/agents/roz/name.ts'
import { locateZot } from '../../../../src/agents/zot/program/locate.ts'
import type { OfferedAgent } from '../../../../src/app/context/agents.ts'
import { configuredZotPath } from '../load-settings.ts'
import type { AgentStart } from './choose-agent.ts'

/** The agents that are known by name, and how to get the missing ones. */
export async function offeredAgents({
  settings,
  options: { baseUrl },
}: Pick<AgentStart, 'settings' | 'options'>): Promise<OfferedAgent[]> {
  const { env } = process
  const located = locateZot(configuredZotPath(settings), env)
  const zot = { name: 'zot', title: 'zot', missing: located.ok ? null : located.hint }
  const others = knownAgents.map(async known => {
    const found = await findAgent(known.name, env, process.cwd())
    return { name: known.name, title: known.title, missing: found.ok ? null : installHint(known) }
  })
  const meerkat = await findMeerkat(settings.pathOf('rkatRpc'), env, process.cwd())
  const { name, title } = MEERKAT
  const hasRoz = env[ROZ.key] !== undefined && (baseUrl ?? env[ROZ.address]) !== undefined
  const roz = { name: ROZ.name, title: ROZ.title, missing: hasRoz ? null : ROZ_HINT }
  return [zot, ...(await Promise.all(others)), { name, title, missing: meerkat.ok ? null : MEERKAT_HINT }, roz]
}
