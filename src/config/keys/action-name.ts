/** The names of actions in `keys.json`. Pure. */

/** The fields of an action that its name is made of. */
export type NamedAction = {
  readonly do: string
  readonly command?: { readonly kind: string; readonly to?: string; readonly select?: boolean }
}

/**
 * The name of an action in a context, in snake_case. An edit is named for its command, a move also for its target: `submit`,
 * `kill_to_line_end`, `move_word_left`, or `select_word_left` with a selection. The name omits the context: `popup_take` is
 * `take` in the popup.
 */
export function actionName(context: string, action: NamedAction): string {
  const { command } = action
  if (command === undefined)
    return action.do.startsWith(`${context}_`) ? action.do.slice(context.length + 1) : action.do
  const { kind, to, select = false } = command
  return snakeCase(to === undefined ? kind : `${select ? 'select' : kind}_${to}`)
}

/** The same text for all spellings of a name: `killToLineEnd`, `kill-to-line-end`. */
export function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}
