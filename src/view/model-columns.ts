/** What is told of the models in their list: the same columns in every row, as many as there is room for. */
import type { Model } from '../agent/backend.ts'
import type { PickerRow } from '../app/overlay.ts'
import type { AppState } from '../app/state.ts'
import { formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { displayWidth } from '../text/width.ts'
import { fitting, GAP } from './facts.ts'
import { joinStyled, trusted, type Styled } from './styled.ts'

type Column = { cell: (model: Model) => SafeText; rank: number; isNumber: boolean }

/** The facts of a model, in at most `room` columns together; the widths are those of all rows. */
export function modelColumns(rows: readonly PickerRow[], room: number, { chat }: AppState): (model: Model) => Styled {
  const columns: Column[] = [
    { cell: model => oneLine(sanitize(model.provider)), rank: 2, isNumber: false },
    { cell: sizeOf, rank: 1, isNumber: true },
    { cell: model => sanitize(model.reasoning ? 'reasoning' : ''), rank: 3, isNumber: false },
    { cell: model => sanitize(isUsed(model, chat.agent) ? 'in use' : ''), rank: 0, isNumber: false },
  ]
  const widest = columns.map(({ cell, rank, isNumber }) => {
    const width = Math.max(0, ...rows.map(row => displayWidth(cell(row.model))))
    return { cell, rank, isNumber, width, text: sanitize(' '.repeat(width)) }
  })
  const kept = fitting(widest, room)
  const shown = widest.filter(column => kept.includes(column))
  return model => {
    const cells = shown.map(({ cell, isNumber, width }) => aligned(cell(model), width, isNumber))
    return trusted(joinStyled(cells, GAP).trimEnd())
  }
}

function sizeOf({ contextWindow }: Model): SafeText {
  return contextWindow === null ? sanitize('') : formatTokens(contextWindow)
}

function aligned(text: SafeText, width: number, right: boolean): Styled {
  const blanks = sanitize(' '.repeat(width - displayWidth(text)))
  return joinStyled(right ? [blanks, text] : [text, blanks])
}

/** Other providers may have models of the same name. */
function isUsed(model: Model, agent: AppState['chat']['agent']): boolean {
  return model.id === agent.model && model.provider === agent.provider
}
