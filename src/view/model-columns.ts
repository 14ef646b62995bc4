/** What is told of the models in their list. */
import type { PickerRow } from '../app/overlay.ts'
import type { ListedModel } from '../app/picker.ts'
import type { AppState } from '../app/state.ts'
import { formatTokens } from '../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import type { Ellipsis } from '../text/shorten.ts'
import { createColumns } from './columns.ts'
import { trusted, type Styled } from './styled.ts'

/** The facts of a model, in at most `room` columns together; the widths are those of all rows. */
export function modelColumns(
  rows: readonly PickerRow[],
  space: { room: number; ellipsis: Ellipsis },
  { chat }: AppState,
): (model: ListedModel) => Styled {
  const { line } = createColumns<ListedModel>(
    rows.map(row => row.model),
    [
      { cell: model => oneLine(sanitize(model.provider)), rank: 2 },
      { cell: sizeOf, rank: 1, isNumber: true },
      { cell: model => sanitize(model.reasoning ? 'reasoning' : ''), rank: 3 },
      { cell: model => sanitize(model.mark ?? ''), rank: 4 },
      { cell: model => sanitize(isUsed(model, chat.agent) ? 'in use' : ''), rank: 0 },
    ],
    space,
  )
  return model => trusted(line(model).trimEnd())
}

function sizeOf({ contextWindow }: ListedModel): SafeText {
  return contextWindow === null ? sanitize('') : formatTokens(contextWindow)
}

/** Other providers may have models of the same name. */
function isUsed(model: ListedModel, agent: AppState['chat']['agent']): boolean {
  return model.id === agent.model && model.provider === agent.provider
}
