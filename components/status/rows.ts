/** The status line: the model, the mode, the usage and the folder, or a hint. */
import { modelTitle } from '../../src/conversation/queries/model-title.ts'
import type { PermissionMode } from '../../src/agent/permission.ts'
import { modeOption, valueName } from '../../src/state/agent-options.ts'
import type { AppState } from '../../src/state/state.ts'
import { vimStatus } from '../../src/state/composer/vim-view.ts'
import { formatCost, formatPercent, formatTokens } from '../../src/text/format.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { fitting, GAP, type Fact } from '../../src/style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { isLow, type DrawnPanel, rowsOnly } from '../regions.ts'
import { conversationsFact } from './conversations.ts'
import { isReadOnly, PLACE, place, READ_ONLY, type FactName } from './place.ts'

/** What the status line shows of the state. */
export type StatusState = Pick<
  AppState,
  'hint' | 'vim' | 'statusFacts' | 'sandbox' | 'startup' | 'raw' | 'conversations' | 'customStatus' | 'watchers'
> & { chat: StatusChat }

export type StatusChat = Pick<
  AppState['chat'],
  'agent' | 'options' | 'permissionMode' | 'context' | 'usage' | 'usageIsPartial' | 'limits'
>

/** The facts about the windows of the user's plan. */
type PlanFact = Extract<FactName, 'limits' | 'allLimits'>

/** What the first frame does not know, and so does not load. */
export type LaterStatus = {
  /** The user's own line. */
  custom: (state: StatusState, theme: Theme, width: number) => Styled | null
  plan: (name: PlanFact, state: StatusState, theme: Theme) => Fact | null
  /** Who looks at the conversation from elsewhere. */
  watchers: (state: StatusState, theme: Theme) => Fact | null
}

export function drawStatus(state: StatusState, frame: Size & { theme: Theme }, later: LaterStatus): DrawnPanel | null {
  const { theme, columns } = frame
  const shown = withCustom(state, statusLine(state, theme, columns, later), later.custom(state, theme, columns))
  return rowsOnly([shown.text, ...(isLow(frame) || shown.custom === null ? [] : [shown.custom])])
}

/** One line that never wraps and drops the least important facts first. */
export function statusLine(
  state: StatusState,
  theme: Theme,
  width: number,
  { plan, watchers }: Pick<LaterStatus, 'plan' | 'watchers'>,
): Styled {
  const room = width - 2
  if (state.hint !== null) return hintRows(state, state.hint, { theme, columns: width }, 1)[0] ?? empty
  const names = state.statusFacts
  const factOf = (name: FactName): Fact | null =>
    name === 'limits' || name === 'allLimits' ? plan(name, state, theme) : factsByName[name](state, theme)
  const last = names.findLastIndex(name => !PLACE.includes(name))
  const facts = [
    ...signFacts(state, theme),
    watchers(state, theme) ?? [],
    ...names.slice(0, last + 1).map(name => factOf(name) ?? []),
  ].flat()
  // Folder and branch stand at the right end if they come last.
  const end: Fact = { text: place(state, theme, Math.floor(room / 2), names.slice(last + 1)), rank: 6 }
  const kept = fitting([...facts, end], room)
  const left = joinStyled(
    kept.filter(fact => fact !== end).map(fact => fact.text),
    GAP,
  )
  return spread(indented(2, left), kept.includes(end) ? drawn`${end.text}` : empty, width)
}

/** Rows of a long hint: its end says what to do. */
export const HINT_ROWS = 2

/** A hint on at most `most` rows. */
export function hintRows(
  { vim }: Pick<AppState, 'vim'>,
  hint: string,
  { theme, columns }: { theme: Theme; columns: number },
  most: number,
): readonly Styled[] {
  const width = Math.max(1, columns - 2)
  const line = oneLine(sanitize(`${vim ? `${vimStatus(vim)}${GAP}` : ''}${hint}`))
  const end = most < 2 || displayWidth(line) <= width ? line.length : endOfRow(line, width)
  const rows = end < line.length ? [line.slice(0, end), line.slice(end + 1)] : [line]
  return rows.map(row => indented(2, truncate(drawn`${sanitize(row)}`, width, theme.signs.ellipsis)))
}

/** The offset at which the last word ends that has room in a row. `wrap` would have to be loaded for the first frame. */
function endOfRow(line: string, width: number): number {
  let end = line.length
  while (end > 0 && displayWidth(sanitize(line.slice(0, end))) > width) end = line.lastIndexOf(' ', end - 1)
  return end > 0 ? end : line.length
}

/** The facts by their names in the setting `statusFacts`; null if there is nothing to show. */
const factsByName: Record<Exclude<FactName, PlanFact>, (state: StatusState, theme: Theme) => Fact | null> = {
  model: modelFact,
  reasoning({ chat: { agent } }, theme) {
    // A model without reasoning levels ignores the level of another model. Some agents call a level 'default'.
    if (agent.reasoningLevels.length === 0 || agent.reasoning === 'default') return null
    return dimFact(agent.reasoning ?? '', 5, theme)
  },
  mode({ chat }, theme) {
    const own = modeOption(chat.options)
    if (own) return dimFact(truncate(oneLine(sanitize(valueName(own))), LONGEST_MODE, theme.signs.ellipsis), 1, theme)
    return chat.permissionMode === null ? null : modeFact(chat.permissionMode, theme)
  },
  sandbox({ sandbox }, theme) {
    return sandbox === 'off' ? null : dimFact(sandbox === 'on' ? 'sandboxed' : 'sandbox closed', 1, theme)
  },
  context({ chat: { agent, context } }, theme) {
    if (!agent.contextWindow || context === null) return null
    const share = context / agent.contextWindow
    const paint = share >= 0.85 ? theme.failed : share >= 0.7 ? theme.warning : theme.dim
    return { text: paint(sanitize(`ctx ${formatPercent(share)}`)), rank: 1 }
  },
  tokens({ chat: { usage } }, theme) {
    const sent = tokensSent(usage)
    if (sent + usage.output === 0) return null
    return dimFact(`${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`, 8, theme)
  },
  cached({ chat: { usage } }, theme) {
    if (usage.cacheRead === 0) return null
    return dimFact(`${formatPercent(usage.cacheRead / tokensSent(usage))} cached`, 9, theme)
  },
  cost({ chat: { usage, usageIsPartial } }, theme) {
    if (usage.costUsd === null) return dimFact('cost unknown', 7, theme)
    if (usage.costUsd === 0) return null
    return dimFact(`${usageIsPartial ? theme.signs.atLeast : ''}${formatCost(usage.costUsd)}`, 2, theme)
  },
  conversations: conversationsFact,
  folder: (state, theme) => ({ text: place(state, theme, Infinity, ['folder']), rank: 6 }),
  branch: (state, theme) => ({ text: place(state, theme, Infinity, ['branch']), rank: 6 }),
}

function tokensSent({ input, cacheRead, cacheWrite }: StatusChat['usage']): number {
  return input + cacheRead + cacheWrite
}

function dimFact(text: string, rank: number, theme: Theme): Fact {
  return { text: theme.dim(oneLine(sanitize(text))), rank }
}

/** The status line and the user's custom line. Without facts the custom line stands alone, and hints take its row. */
function withCustom(
  { statusFacts, hint }: Pick<AppState, 'statusFacts' | 'hint'>,
  text: Styled,
  custom: Styled | null,
): { text: Styled; custom: Styled | null } {
  if (custom === null || statusFacts.length > 0) return { text, custom }
  if (text.text.trim() === '') return { text: custom, custom: null }
  return { text, custom: hint === null ? custom : null }
}

/** The provider and the model; in a narrow terminal only the model, or its beginning. */
function modelFact({ chat, startup }: StatusState, theme: Theme): Fact {
  const isAlone = chat.agent.provider === ''
  const model = oneLine(sanitize(isAlone ? modelTitle(chat) : chat.agent.model))
  const beginning = { text: theme.dim(truncate(model, MODEL_START, theme.signs.ellipsis)), rank: 3 }
  const alone = { text: theme.dim(model), rank: 4, shorter: beginning }
  if (startup.demo || model === '' || isAlone) return alone
  return { text: theme.dim(drawn`${oneLine(sanitize(chat.agent.provider))}/${model}`), rank: 7, shorter: alone }
}

/** Columns of the part of a model's name that distinguishes it. */
const MODEL_START = 16

/** The mode, which stays when everything else is dropped. */
function modeFact(mode: PermissionMode, theme: Theme): Fact {
  const paints: Record<PermissionMode, Theme['dim']> = {
    ask: theme.dim,
    edits: theme.accent,
    contained: theme.accent,
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
  contained: 'contained',
  plan: 'plan mode',
  read: READ_ONLY,
  allow: 'all allowed',
}

/** The signs that are always shown: they change what a prompt does. */
function signFacts(state: StatusState, theme: Theme): Fact[] {
  const { chat, startup } = state
  const { agent } = chat
  const facts: Fact[] = []
  const add = (text: string, rank: number, paint = theme.dim): void => {
    facts.push({ text: paint(oneLine(sanitize(text))), rank })
  }
  if (state.vim) add(vimStatus(state.vim), 0, theme.accent)
  if (startup.demo) add('demo', 5)
  if (chat.permissionMode === null && isReadOnly(state)) add(READ_ONLY, 1, theme.warning)
  if (state.raw) add('raw', 1)
  if (agent.phase === 'ended' && !startup.isReplay) add(`${agent.name} ended, /restart starts it`, 0, theme.failed)
  return facts
}
