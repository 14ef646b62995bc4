/** The windows of the user's plan in the status line. The first frame knows none. */
import { usedWords } from '../../src/conversation/queries/plan-windows.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import { joinStyled } from '../../src/style/styled.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { LaterStatus } from './rows.ts'

/** The share from which on a window of the plan is shown by itself. */
const LEAST_USED = 0.8

/** What is used of the windows of the plan; only of the fullest one where there is little room. */
export const planFact: LaterStatus['plan'] = (name, { statusFacts, chat: { limits } }, theme) => {
  if (name === 'limits' && statusFacts.includes('allLimits')) return null
  const windows = name === 'allLimits' ? limits : limits.filter(({ used }) => used >= LEAST_USED)
  if (windows.length === 0) return null
  const shown = windows.map(window => {
    const paint = window.used >= 0.95 ? theme.failed : window.used >= LEAST_USED ? theme.warning : theme.dim
    return { used: window.used, text: paint(oneLine(sanitize(usedWords(window)))) }
  })
  const fullest = shown.reduce((most, each) => (each.used > most.used ? each : most))
  const alone: Fact = { text: fullest.text, rank: 3 }
  const all = joinStyled(
    shown.map(({ text }) => text),
    ' ',
  )
  return shown.length === 1 ? alone : { text: all, rank: 7, shorter: alone }
}
