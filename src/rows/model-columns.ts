/** What is told of the models in their list. */
import type { PickerRow } from '../state/picker-rows.ts'
import type { ListedModel } from '../state/picker.ts'
import type { AppState } from '../state/state.ts'
import { formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import type { Ellipsis } from '../text/shorten.ts'
import { trimEndOf } from '../text/styled.ts'
import { createColumns } from '../style/columns.ts'
import type { Styled } from '../style/styled.ts'

/** Columns of the screen for a provider. Of hundreds of models one always has a very long name. */
const PROVIDER = 12
/** With so much room it is also said why a model stands before others: that must not cost what the others are. */
const WIDE = 45

/** Columns of the screen that the names of models have in any case: what is told of them needs the rest. */
export function leastForNames(columns: number): number {
  return Math.max(18, Math.floor(columns * 0.35))
}

/** The facts of a model, in at most `room` columns together; the widths are those of all rows. */
export function modelColumns(
  rows: readonly PickerRow[],
  space: { room: number; ellipsis: Ellipsis },
  { chat }: AppState,
): { line: (model: ListedModel) => Styled; width: number } {
  const mark = (model: ListedModel): string =>
    model.hasKey === false ? 'no key' : space.room >= WIDE ? (model.mark ?? '') : ''
  const { line, width } = createColumns<ListedModel>(
    rows.map(row => row.model),
    [
      { cell: model => oneLine(sanitize(model.provider)), rank: 2, most: PROVIDER },
      { cell: sizeOf, rank: 1, isNumber: true },
      { cell: model => sanitize(model.reasoning ? 'reasoning' : ''), rank: 3 },
      { cell: model => sanitize(isUsed(model, chat.agent) ? 'in use' : mark(model)), rank: 0 },
    ],
    space,
  )
  return { line: model => trimEndOf(line(model)), width }
}

function sizeOf({ contextWindow }: ListedModel): SafeText {
  return contextWindow === null ? sanitize('') : formatTokens(contextWindow)
}

/** Other providers may have models of the same name. */
function isUsed(model: ListedModel, agent: AppState['chat']['agent']): boolean {
  return model.id === agent.model && model.provider === agent.provider
}
