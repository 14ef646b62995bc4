/** The row of the doctor for a roz server: its address and key, and whether it answers in the protocol that zotui speaks. */
import process from 'node:process'
import { isRoz, ROZ, ROZ_HINT } from '../../src/agents/roz/name.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { finding, type Finding } from '../../src/doctor/finding.ts'
import { rozServer } from './start/agent/roz-choice.ts'

/** Milliseconds for the answer. */
const LIMIT = 5000

export async function rozFinding(settings: SettingsStore): Promise<Finding> {
  const { env } = process
  const { agent } = settings.values()
  const words = agent !== null && isRoz(agent) ? agent : ROZ.name
  if (words === ROZ.name && !env[ROZ.key] && !env[ROZ.address])
    return finding(ROZ.title, 'ok', 'no server is set', ROZ_HINT)
  const server = await rozServer(words)
  if (!server.ok) return finding(ROZ.title, 'warn', server.reason, server.hint)
  const { start, roots } = server
  const { probeRoz } = await import('../../src/agents/roz/probe.ts')
  const trouble = await probeRoz({ ...start, roots }, LIMIT)
  if (trouble) return finding(ROZ.title, 'warn', trouble.reason, trouble.hint)
  return finding(
    ROZ.title,
    'ok',
    `answers at ${start.address.target} and accepts the key`,
    'it speaks the protocol of 2026',
  )
}
