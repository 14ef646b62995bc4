/** Checks whether a fresh zot can replace the running one. */
import type { AgentEvent } from '../../agent/event.ts'
import { NOT_RUNNING, type ZotRun } from './run.ts'
import { startWarnings, type RequestedModel } from './warnings.ts'

/** The reason why a fresh zot cannot take over, such as another provider or model than requested; null if it can. */
export function refusalOf(run: ZotRun, asked: RequestedModel, told: readonly AgentEvent[]): string | null {
  const { greeting } = run
  if (greeting && run.isRunning) return startWarnings(asked, greeting, []).join('; ') || null
  const end = told.find(event => event.type === 'agent_ended')
  if (end?.type !== 'agent_ended') return NOT_RUNNING
  return end.hint === '' ? end.reason : `${end.reason}; ${end.hint}`
}
