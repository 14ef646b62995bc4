/** The events of a session that are neither text nor calls, in our words. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { RozEvent, RozEventOf } from '../wire/messages.ts'

type Notes = { [Type in RozEvent['type']]?: (event: RozEventOf<Type>, at: number) => AgentEvent[] }

const notes: Notes = {
  activity_changed: ({ state }, at) => [activity(at, state === 'idle' ? '' : state.replaceAll('_', ' '))],
  presence_hinted: ({ reason }, at) => (reason === '' ? [] : [activity(at, reason)]),
  context_compacted: ({ tokens_before: before, tokens_after: after }, at) => [
    quiet(at, `roz compacted its context from ${before} to ${after} tokens.`),
    { type: 'context_reported', at, used: after, size: null, costUsd: null },
  ],
  skill_loaded: ({ name, version }, at) => [quiet(at, `roz loaded the skill ${name} ${version} on its server.`)],
  skill_crystallized: ({ name, version }, at) => [quiet(at, `roz wrote the skill ${name} ${version} on its server.`)],
  mcp_server_degraded: ({ server_name: name, last_error: words }, at) => [
    warning(at, `The MCP server ${name} of roz fails: ${words}`),
  ],
  tool_unavailable: ({ tool_name: name, reason }, at) => [warning(at, `roz cannot use the tool ${name}: ${reason}`)],
  safe_pause_entered: ({ reason }, at) => [warning(at, `roz paused for safety: ${reason}`)],
  safe_pause_cleared: ({ reason }, at) => [quiet(at, `roz continues after its pause: ${reason}`)],
  safety_intervention: ({ channel, kind, reason }, at) => [
    warning(at, `roz held back ${channel} for safety (${kind}): ${reason}`),
  ],
}

/** Translates an event that needs nothing else to be understood; none for any other. */
export function notesOf<Type extends RozEvent['type']>(event: RozEventOf<Type>, at: number): AgentEvent[] {
  return notes[event.type]?.(event, at) ?? []
}

/** Reported once, since it has no other visible effect. */
export function unseenTools(at: number): AgentEvent {
  return quiet(at, 'roz also runs tools on its server, which zotui neither sees nor asks about.')
}

/** Characters of the longest words for an activity. */
const MOST = 60

function activity(at: number, words: string): AgentEvent {
  return { type: 'activity_told', at, text: words.replaceAll(/\s+/g, ' ').slice(0, MOST).trim() }
}

function quiet(at: number, text: string): AgentEvent {
  return { type: 'remark_made', at, level: 'quiet', text, hint: null, markdown: false }
}

function warning(at: number, message: string): AgentEvent {
  return { type: 'warning_raised', at, message }
}
