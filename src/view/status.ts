/** The lines around the composer: header, working line, queue and status. */
import { labelled } from '../app/chips.ts'
import type { AppState } from '../app/state.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import { drawn, empty, indented, joinStyled, spread, trusted, type Styled } from './styled.ts'
import type { Theme } from './theme.ts'
import { spinner } from './tool.ts'

const GAP = '   '

/** Program, agent, model and folder; and the keys that matter most. */
export function headerLines(state: AppState, theme: Theme, width: number): Styled[] {
  const { startup, chat } = state
  const { agent } = chat
  const ready = agent.phase === 'ready'
  const parts = [
    theme.strong(sanitize(`zotui ${startup.version}`)),
    sanitize(ready ? `${agent.name} ${agent.version}` : agent.phase === 'starting' ? `starting ${agent.name} …` : ''),
    sanitize(ready ? `${agent.provider}/${agent.model}` : ''),
  ].filter(part => part !== '')
  const left = joinStyled(parts, GAP)
  const room = width - displayWidth(left) - 2
  const right = place(state, theme, Math.max(0, room))
  const keys = 'Enter sends, Esc stops, / commands, ? all keys'
  return [trusted(truncate(spread(left, right, width), width)), theme.dim(truncate(sanitize(keys), width))]
}

function place({ startup }: AppState, theme: Theme, room: number): Styled {
  const branch = startup.branch === null ? sanitize('') : sanitize(`  ${startup.branch}`)
  const folder = sanitize(startup.folder)
  const both = displayWidth(folder) + displayWidth(branch)
  if (both <= room) return theme.dim(drawn`${folder}${branch}`)
  return displayWidth(folder) <= room ? theme.dim(folder) : empty
}

/** What is going on, while something is; null when idle. */
export function workingLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { chat, now, editor } = state
  const { open, agent } = chat
  if (agent.phase === 'starting') {
    const queue = state.queue.entries.length > 0 || editor.text !== '' ? `${GAP}Enter queues` : ''
    return cut(theme, spinner(theme.signs.spinner, now), `starting ${agent.name || 'the agent'}${queue}`, width)
  }
  if (!open) return null
  const elapsed = formatDuration(now - open.startedAt)
  const sign = spinner(theme.signs.spinner, now)
  if (open.abortOverdue) {
    const text = `${agent.name} does not stop (${elapsed}).${GAP}Ctrl+C kills it and starts it again; or wait`
    return drawn`${theme.warning(sanitize('!'))} ${truncate(sanitize(text), Math.max(1, width - 2))}`
  }
  if (open.aborting) return cut(theme, sign, `stopping${GAP}${elapsed}`, width)
  if (open.kind === 'compaction') return cut(theme, sign, `compacting${GAP}${elapsed}${GAP}Esc stops`, width)
  const queue = editor.text === '' ? '' : `${GAP}Enter queues`
  return cut(theme, sign, `${verb(open)}${GAP}${elapsed}${GAP}Esc stops${queue}`, width)
}

/** What is waited for on the way out; null when not leaving. */
export function leavingLine({ leaving, chat, now }: AppState, theme: Theme, width: number): Styled | null {
  if (leaving === null) return null
  return cut(theme, spinner(theme.signs.spinner, now), `ending ${chat.agent.name || 'the agent'}`, width)
}

function verb(turn: Extract<AppState['chat']['open'], { kind: 'turn' }>): string {
  if (!turn.accepted) return 'sending'
  if (turn.error !== null) return `failed, the agent tries again (${turn.retries})`
  const tool = turn.parts.findLast(part => part.kind === 'tool' && !part.withdrawn && part.state === 'running')
  if (tool?.kind === 'tool') return `running ${tool.name}`
  const last = turn.parts.at(-1)
  if (last?.kind === 'tool' && last.state === 'composing') return `writing a call of ${last.name}`
  if (last?.kind === 'text' && !last.final) return 'answering'
  return 'thinking'
}

function cut(theme: Theme, sign: string, text: string, width: number): Styled {
  return drawn`${theme.running(sanitize(sign))} ${theme.dim(truncate(sanitize(text), Math.max(1, width - 2)))}`
}

/** The waiting messages, on one line; null when there are none. */
export function queueLine({ queue, chips }: AppState, theme: Theme, width: number): Styled | null {
  const number = queue.entries.length
  if (number === 0) return null
  const what = queue.held ? `${number} held${GAP}Enter sends, Alt+Up edits` : `${number} queued${GAP}Alt+Up edits`
  const previews = queue.entries
    .map((text, index) => `${index + 1} "${oneLine(sanitize(labelled(text, chips)), '⏎')}"`)
    .join(GAP)
  const paint = queue.held ? theme.warning : theme.dim
  const head = truncate(sanitize(`  ${what}`), width)
  const room = width - displayWidth(head) - GAP.length
  return room < 8 ? paint(head) : drawn`${paint(head)}   ${theme.dim(truncate(sanitize(previews), room))}`
}

/** Facts in the order they stand, and the rank in which they fall away: the highest first. */
type Fact = { text: SafeText | Styled; rank: number }

/** One line that never wraps; what matters most stays longest. */
export function statusLine(state: AppState, theme: Theme, width: number): Styled {
  if (state.hint !== null) return indented(2, truncate(oneLine(sanitize(state.hint)), Math.max(1, width - 2)))
  let facts = statusFacts(state, theme)
  const room = width - 2
  const size = (): number => facts.reduce((sum, fact) => sum + displayWidth(fact.text), GAP.length * (facts.length - 1))
  while (facts.length > 0 && size() > room) {
    const last = Math.max(...facts.map(fact => fact.rank))
    facts = facts.filter(fact => fact.rank !== last)
  }
  const shown = facts.map(fact => theme.dim(fact.text))
  const left = indented(2, joinStyled(shown, GAP))
  return spread(left, place(state, theme, width - displayWidth(left) - 4), width)
}

function statusFacts(state: AppState, theme: Theme): Fact[] {
  const { chat, startup } = state
  const { agent, usage, context } = chat
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const facts: Fact[] = []
  const add = (text: string, rank: number, paint = (safe: SafeText): SafeText | Styled => safe): void => {
    if (text !== '') facts.push({ text: paint(sanitize(text)), rank })
  }
  if (startup.demo) add('demo', 3)
  if (agent.phase === 'ended') add(`${agent.name} ended, /restart starts it`, 0, theme.failed)
  add(agent.model === '' ? '' : `${agent.provider}/${agent.model}`, 4)
  add(agent.reasoning ?? '', 5)
  if (agent.contextWindow && context !== null) {
    const share = context / agent.contextWindow
    add(`ctx ${formatPercent(share)}`, 1, share >= 0.85 ? theme.failed : share >= 0.7 ? theme.warning : undefined)
  }
  if (sent + usage.output > 0)
    add(`${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`, 6)
  if (usage.cacheRead > 0) add(`${formatPercent(usage.cacheRead / sent)} cached`, 7)
  if (usage.costUsd > 0) add(`${chat.usageIsPartial ? '≥ ' : ''}${formatCost(usage.costUsd)}`, 2)
  return facts
}
