/** The header, the queue and the status line. */
import type { PermissionMode } from '../agent/permission.ts'
import { modeOption, valueName } from '../state/agent-options.ts'
import { labelled } from '../state/chips.ts'
import { modelName } from '../state/pickers/model-order.ts'
import { entryText } from '../state/queue-entry.ts'
import { isBusy, type AppState } from '../state/state.ts'
import { keyed, keyedLine } from '../text/key-hints.ts'
import { formatCost, formatPercent, formatTokens } from '../text/format.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import { factsLine, fitting, GAP, type Fact } from '../style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { conversationsFact } from './conversations.ts'
import { startupContextFacts } from './startup-context.ts'

const KEYS = ['{composer.submit} sends', '{composer.stop} stops', '/ commands', '? all keys']
/** The keys of a replay are its own. */
const REPLAY_KEYS = ['Space pauses', 'q leaves', 'Right: one step', 'End to the end']

/** The program, the agent and the main keys. The status line shows the model and the folder. */
export function headerLines(state: AppState, theme: Theme, width: number): Styled[] {
  const { startup, chat } = state
  const { agent } = chat
  const ready = agent.phase === 'ready'
  const names = [
    { text: theme.strong(sanitize(`zotui ${startup.version}`)), rank: 0 },
    ...(isReadOnly(state) ? [{ text: theme.warning(sanitize(READ_ONLY)), rank: 1 }] : []),
    { text: oneLine(sanitize(ready ? `${agent.name} ${agent.version}` : '')), rank: 2 },
  ]
  const known = startup.isReplay ? REPLAY_KEYS : KEYS
  const keys = known.map((key, rank) => ({
    text: sanitize(keyed(state.keyNames, key)),
    rank,
  }))
  const reads = ready ? startupContextFacts(state.reading, agent.name, startup) : []
  const reading = reads.length > 0 ? [theme.dim(factsLine(reads, width, theme.gap))] : []
  // People who use a screen reader have no status line.
  if (theme.isSpoken && ready)
    names.push({ text: oneLine(sanitize(modelName({ provider: agent.provider, id: agent.model }))), rank: 3 })
  if (theme.isSpoken) names.push({ text: place(state, theme, width), rank: 4 })
  return [factsLine(names, width, theme.gap), theme.dim(factsLine(keys, width, theme.gap)), ...reading]
}

const READ_ONLY = 'read-only'

function isReadOnly({ startup }: AppState): boolean {
  return startup.toolLimit === 'read-only'
}

function place({ startup }: AppState, theme: Theme, room: number): Styled {
  const branch = oneLine(
    sanitize(startup.branch === null ? '' : `${theme.isSpoken ? theme.gap : '  '}${startup.branch}`),
  )
  const folder = oneLine(sanitize(startup.folder))
  const both = displayWidth(folder) + displayWidth(branch)
  if (both <= room) return theme.dim(drawn`${folder}${branch}`)
  return displayWidth(folder) <= room ? theme.dim(folder) : empty
}

/** The waiting prompts on one line; null if there are none. */
export function queueLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { queue, edited, chips, keyNames } = state
  const texts = queue.entries.map(
    entry => `"${oneLine(sanitize(labelled(entryText(entry), chips)), theme.signs.newline)}"`,
  )
  const entries = edited ? texts.toSpliced(edited.at, 0, 'being edited') : texts
  const number = entries.length
  if (number === 0) return null
  const enter = queue.held && !isBusy(state) ? '{composer.submit} sends' : ''
  const keys = keyedLine(keyNames, [enter, '{composer.queued_before} edits'], ', ')
  const what = [`${number} ${queue.held ? 'held' : 'queued'}`, keys].filter(part => part !== '').join(GAP)
  const previews = entries.map((text, index) => `${index + 1} ${text}`).join(GAP)
  const paint = queue.held ? theme.warning : theme.dim
  const { ellipsis } = theme.signs
  const head = truncate(sanitize(`  ${what}`), width, ellipsis)
  const room = width - displayWidth(head) - GAP.length
  return room < 8 ? paint(head) : drawn`${paint(head)}   ${theme.dim(truncate(sanitize(previews), room, ellipsis))}`
}

/** One line that never wraps and drops the least important facts first. */
export function statusLine(state: AppState, theme: Theme, width: number): Styled {
  const room = width - 2
  if (state.hint !== null)
    return indented(2, truncate(oneLine(sanitize(state.hint)), Math.max(1, room), theme.signs.ellipsis))
  const facts = statusFacts(state, theme)
  const others = conversationsFact(state, theme)
  if (others) facts.push(others)
  // The folder is a fact at the other end of the line.
  const folder: Fact = { text: place(state, theme, Math.floor(room / 2)), rank: 6 }
  const kept = fitting([...facts, folder], room)
  const left = joinStyled(
    kept.filter(fact => fact !== folder).map(fact => fact.text),
    GAP,
  )
  return spread(indented(2, left), kept.includes(folder) ? drawn`${folder.text}` : empty, width)
}

/** The provider and the model; in a narrow terminal only the model, or its beginning. */
function modelFact({ chat, startup }: AppState, theme: Theme): Fact {
  const model = oneLine(sanitize(chat.agent.model))
  const beginning = { text: theme.dim(truncate(model, MODEL_START, theme.signs.ellipsis)), rank: 3 }
  const alone = { text: theme.dim(model), rank: 4, shorter: beginning }
  if (startup.demo || model === '' || chat.agent.provider === '') return alone
  return { text: theme.dim(drawn`${oneLine(sanitize(chat.agent.provider))}/${model}`), rank: 7, shorter: alone }
}

/** The part of a model's name that distinguishes it. */
const MODEL_START = 16

/** The mode, which stays when everything else is dropped. */
function modeFact(mode: PermissionMode, theme: Theme): Fact {
  const paints: Record<PermissionMode, Theme['dim']> = {
    ask: theme.dim,
    edits: theme.accent,
    plan: theme.accent,
    read: theme.warning,
    allow: theme.warning,
  }
  const whole = paints[mode](sanitize(MODES[mode]))
  return { text: whole, rank: 5, shorter: { text: paints[mode](sanitize(mode)), rank: 0 } }
}

/** Columns of an agent's own mode. */
const LONGEST_MODE = 24

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'ask',
  edits: 'edits allowed',
  plan: 'plan mode',
  read: READ_ONLY,
  allow: 'all allowed',
}

function statusFacts(state: AppState, theme: Theme): Fact[] {
  const { chat, startup } = state
  const { agent, usage, context } = chat
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const facts: Fact[] = []
  const add = (text: string, rank: number, paint = theme.dim): void => {
    facts.push({ text: paint(oneLine(sanitize(text))), rank })
  }
  if (startup.demo) add('demo', 5)
  if (chat.permissionMode === null && isReadOnly(state)) add(READ_ONLY, 1, theme.warning)
  if (state.raw) add('raw', 1)
  if (agent.phase === 'ended')
    add(startup.isReplay ? `${agent.name} ended` : `${agent.name} ended, /restart starts it`, 0, theme.failed)
  facts.push(modelFact(state, theme))
  // A model without reasoning levels ignores the level of another model. Other agents name a level of their own 'default'.
  if (agent.reasoningLevels.length > 0 && agent.reasoning !== 'default') add(agent.reasoning ?? '', 5)
  const own = modeOption(chat.options)
  if (own) add(truncate(oneLine(sanitize(valueName(own))), LONGEST_MODE, theme.signs.ellipsis), 1)
  else if (chat.permissionMode !== null) facts.push(modeFact(chat.permissionMode, theme))
  if (agent.contextWindow && context !== null) {
    const share = context / agent.contextWindow
    add(`ctx ${formatPercent(share)}`, 1, share >= 0.85 ? theme.failed : share >= 0.7 ? theme.warning : theme.dim)
  }
  const tokens = `${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`
  if (sent + usage.output > 0) add(tokens, 8)
  if (usage.cacheRead > 0) add(`${formatPercent(usage.cacheRead / sent)} cached`, 9)
  if (usage.costUsd === null) add('cost unknown', 7)
  else if (usage.costUsd > 0) add(`${chat.usageIsPartial ? theme.signs.atLeast : ''}${formatCost(usage.costUsd)}`, 2)
  return facts
}
