/** The working line: the current activity of the agent, of the user's command or of the exit. */
import type { AppState } from '../../state/state.ts'
import { providerErrorOf, type ProviderErrorKind } from '../../conversation/queries/provider-error.ts'
import { askedAt, isAsked, isRunning, silentFor } from '../../conversation/queries/silence.ts'
import type { Part } from '../../conversation/part.ts'
import { keyed } from '../../text/key-hints.ts'
import { formatDuration, formatPercent } from '../../text/format.ts'
import { literal, sanitize, type SafeText } from '../../text/sanitize.ts'
import { factsLine } from '../../style/facts-line.ts'
import { drawn, type Styled } from '../../style/styled.ts'
import type { Theme } from '../../style/theme.ts'
import { spinner } from '../../tools/panel/title.ts'

const OPENING = 'loading the session'
const STOPS = '{composer.stop} stops'
const QUEUES = '{composer.submit} queues'

/** The current activity; null when idle. */
export function workingLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { chat, now, editor, queue, opening, keyNames } = state
  const { open, agent } = chat
  const queues = editor.text === '' && queue.entries.length === 0 ? '' : QUEUES
  if (opening !== null) {
    const doing = drawn`${sanitize(OPENING)} ${formatPercent(opening)}`
    return working(state, theme, width, doing, '', STOPS, queues)
  }
  if (agent.phase === 'starting')
    return working(state, theme, width, sanitize(`starting ${agent.name || 'the agent'}`), '', queues)
  const hooked = hookWords(state)
  if (!open) return hooked === null ? null : working(state, theme, width, sanitize(hooked), '', STOPS)
  if (open.abortOverdue) {
    const since = formatDuration(now - (open.abortedAt ?? open.startedAt))
    const facts = [
      { text: sanitize(`${agent.name} does not stop`), rank: 1 },
      { text: sanitize(since), rank: 2 },
      { text: sanitize(keyed(keyNames, '{composer.interrupt} kills it')), rank: 0 },
    ]
    return drawn`${theme.warning(sanitize('!'))} ${factsLine(facts, width - 2)}`
  }
  const elapsed = formatDuration(now - (askedAt(chat) ?? open.startedAt))
  // Esc stops the user's command first. A replay cannot be stopped.
  const isStoppable = !state.startup.isReplay && (!chat.shell || chat.shell.stopping)
  if (open.aborting) return working(state, theme, width, sanitize('stopping'), elapsed, '')
  const doing = sanitize(open.kind === 'compaction' ? 'compacting' : (hooked ?? verb(open, isAsked(chat), now, width)))
  const failed = open.kind === 'turn' && open.accepted && open.error !== null
  const silence = silentFor(chat, state.heardAt, now)
  if (silence !== null) {
    const words = literal`no output for ${formatDuration(silence)}`
    return working(
      state,
      theme,
      width,
      words,
      elapsed,
      isStoppable ? '{composer.stop} stops, then {composer.interrupt} kills it' : '',
      queues,
    )
  }
  return working(
    state,
    theme,
    width,
    failed ? theme.failed(doing) : doing,
    elapsed,
    isStoppable && !isAsked(chat) ? STOPS : '',
    editor.text === '' || isAsked(chat) ? '' : QUEUES,
    chat.permissionMode !== null && runsCommand(open) ? '{composer.list_running} lists what runs' : '',
  )
}

/** The user's running command, or null. */
export function shellLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { shell } = state.chat
  if (!shell) return null
  const elapsed = formatDuration(state.now - shell.tool.draftedAt)
  if (shell.stopping) return working(state, theme, width, sanitize('stopping your command'), elapsed)
  return working(state, theme, width, sanitize('running your command'), elapsed, `${STOPS} it`)
}

/** The reason why the exit waits; null when zotui is not exiting. */
export function leavingLine(state: AppState, theme: Theme, width: number): Styled | null {
  if (state.leaving === null) return null
  return working(
    state,
    theme,
    width,
    sanitize(`ending ${state.chat.agent.name || 'the agent'}`),
    '',
    '{composer.interrupt} ends at once',
  )
}

/** The agent's activity in a word or two; null if there is none. */
export function workWords({ chat, opening, askedHooks }: AppState): string | null {
  const { open, agent, shell } = chat
  if (opening !== null) return OPENING
  if (agent.phase === 'starting') return `starting ${agent.name || 'the agent'}`
  const hooked = hookWords({ chat, askedHooks })
  if (open === null) return hooked ?? (shell === null ? null : 'running your command')
  if (open.abortedAt !== null) return 'stopping'
  return open.kind === 'turn' ? (hooked ?? verb(open, isAsked(chat), null)) : 'compacting'
}

/** A text for a hook that is waited for; null if there is none, or if the user is asked. */
function hookWords({ chat, askedHooks }: Pick<AppState, 'chat' | 'askedHooks'>): string | null {
  return askedHooks.length === 0 || isAsked(chat) ? null : 'waiting for a hook'
}

/** Whether a call runs that may be ended alone. */
function runsCommand(open: NonNullable<AppState['chat']['open']>): boolean {
  if (open.kind !== 'turn') return false
  const running = open.parts.get(open.parts.findLastIndex(isRunning, open.attemptStart))
  return (
    running?.kind === 'tool' && running.permission?.state !== 'asked' && ['bash', 'powershell'].includes(running.name)
  )
}

const isDone = (part: Part): boolean => (part.kind === 'tool' || part.kind === 'text') && !part.withdrawn

function verb(
  turn: Extract<AppState['chat']['open'], { kind: 'turn' }>,
  isAsking: boolean,
  now: number | null,
  width = Infinity,
): string {
  if (isAsking) return 'waiting for your answer'
  if (!turn.accepted) return 'sending'
  if (turn.compactingSince !== null) return 'compacting'
  if (turn.retry !== null || turn.error !== null) return retryingWords(turn, now, width)
  const running = turn.parts.get(turn.parts.findLastIndex(isRunning, turn.attemptStart))
  if (running?.kind === 'tool') return `running ${running.name}`
  // A notice or the answer to a command is no activity of the agent.
  const last = turn.parts.get(turn.parts.findLastIndex(isDone, turn.attemptStart))
  if (last?.kind === 'tool' && last.state === 'composing') return `composing ${last.name}`
  if (last?.kind === 'tool' && last.state === 'waiting') return `calling ${last.name}`
  if (last?.kind === 'text' && !last.final) return 'answering'
  return turn.activity.replaceAll(/\s+/g, ' ').trim() || 'thinking'
}

/** Columns of a line that has room for the reason why a call failed. */
const ROOM_FOR_REASON = 70

type OpenTurn = Extract<AppState['chat']['open'], { kind: 'turn' }>

/** The reasons of failed calls, in a few words. */
const REASONS: Partial<Record<ProviderErrorKind, string>> = {
  rate: 'rate limit',
  server: 'provider overloaded or unavailable',
  network: 'provider not reached',
}

/** The reason why a call is repeated, and the time of the next try; without a clock only its number. */
function retryingWords(turn: OpenTurn, now: number | null, width: number): string {
  const { retry, retryAt, retries, error } = turn
  const message = retry?.message ?? error ?? ''
  const code = /\bhttp (\d{3})\b/.exec(message)?.[1]
  const whole = `${REASONS[providerErrorOf(message).kind] ?? 'failed'}${code === undefined ? '' : ` (http ${code})`}`
  // On a narrow line the time says more than the reason.
  const why = width < ROOM_FOR_REASON ? 'failed' : whole
  const count = `retry ${Math.max(1, retries)}${retry?.of ? ` of ${retry.of}` : ''}`
  const left = now === null || retryAt === null ? 0 : retryAt - now
  return `${why}, ${count}${left > 0 ? ` in ${formatDuration(Math.ceil(left / 1000) * 1000)}` : ''}`
}

/** The spinner with its activity. A narrow line drops the elapsed time first, and the key last. */
function working(
  state: AppState,
  theme: Theme,
  width: number,
  doing: SafeText | Styled,
  elapsed: string,
  ...keys: string[]
): Styled {
  const facts = [
    { text: doing, rank: 1 },
    { text: sanitize(elapsed), rank: 4 },
    ...keys.map((key, index) => ({ text: sanitize(keyed(state.keyNames, key)), rank: index === 0 ? 0 : 1 + index })),
  ]
  // Nothing moves while the agent waits for the user.
  const isAsking = isAsked(state.chat) && !state.chat.open?.aborting
  const moving = theme.running(sanitize(spinner(theme.signs.spinner, state.now)))
  const sign = isAsking ? theme.warning(sanitize(theme.signs.waiting)) : moving
  return drawn`${sign} ${theme.dim(factsLine(facts, width - 2))}`
}
