/** The header: the program, the agent, what the agent reads by itself, and the main keys. */
import { modelTitle } from '../../src/conversation/queries/model-title.ts'
import type { AppState } from '../../src/state/state.ts'
import { factsLine } from '../../src/style/facts-line.ts'
import { indented, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { type Panel, type PanelFrame, rowsOnly } from '../regions.ts'
import { isReadOnly, place, READ_ONLY } from '../status/place.ts'
import { startupContextFacts } from './startup-context.ts'

const KEYS = ['{composer.submit} sends', '{composer.stop} stops', '/ commands', '? all keys']
const REPLAY_KEYS = ['Space pauses', 'q leaves', 'Right: one step', 'End to the end']

/** Shown here until it is in the scrollback. */
export const header: Panel<PanelFrame & { headerDone?: boolean }> = {
  name: 'header',
  draw: ({ state, theme, columns, headerDone = false }) =>
    rowsOnly(headerDone ? [] : headerLines(state, theme, columns)),
}

/** The program, the agent and the main keys. The status line shows the model and the folder. */
export function headerLines(state: AppState, theme: Theme, width: number): Styled[] {
  const { startup, chat } = state
  const { agent } = chat
  const ready = agent.phase === 'ready'
  const indent = theme.isSpoken ? 0 : 2
  const room = width - indent
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
  // People who use a screen reader have no status line.
  if (theme.isSpoken && ready) names.push({ text: oneLine(sanitize(modelTitle(chat))), rank: 3 })
  if (theme.isSpoken) names.push({ text: place(state, theme, width), rank: 4 })
  const lines = [names, keys, reads].filter(facts => facts.length > 0).map(facts => factsLine(facts, room, theme.gap))
  return lines.map((line, index) => indented(indent, index === 0 ? line : theme.dim(line)))
}
