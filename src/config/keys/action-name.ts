/** The names of actions in `keys.json`. Pure. */

/** The fields of an action that its name is made of. */
export type NamedAction = {
  readonly do: string
  /** The action of that kind: `up` of a page, the number of a favourite model. */
  readonly how?: string | number
  readonly command?: { readonly kind: string; readonly to?: string; readonly select?: boolean }
}

/**
 * The name of an action in a context, in snake_case. An edit is named for its command, a move also for its target: `submit`,
 * `kill_to_line_end`, `move_word_left`, or `select_word_left` with a selection. The name omits the context: `popup_take` is
 * `take` in the popup, and an action of a page has only its own name.
 */
export function actionName(context: string, action: NamedAction): string {
  const { command, how } = action
  if (action.do === 'page') return String(how)
  if (command === undefined) {
    const name = how === undefined ? action.do : `${action.do}_${how}`
    return name.startsWith(`${context}_`) ? name.slice(context.length + 1) : name
  }
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
