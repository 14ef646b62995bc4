/** The lists. A new one is a file, and its line here. */
import type { PickerTable } from '../../src/app/pickers/pickers.ts'
import type { PickerKind, PickerOf } from '../../src/state/pickers/picker.ts'
import { answers } from './answers.ts'
import { conversations } from './conversations.ts'
import { marks } from './marks.ts'
import { models } from './models.ts'
import type { PickerSpec } from './picker-spec.ts'
import { prompts } from './prompts.ts'
import { running } from './running.ts'
import { sessions } from './sessions.ts'
import { tree } from './tree.ts'

const lists: { readonly [Kind in PickerKind]: PickerSpec<Kind> } = {
  models,
  history: prompts,
  choice: answers,
  sessions,
  marks,
  tree,
  running,
  conversations,
}

/** What an open list is. */
export function specOf<Kind extends PickerKind>(picker: PickerOf<Kind>): PickerSpec<Kind> {
  return lists[picker.kind]
}

export const pickerTable: PickerTable = {
  follow: (picker, event, state) => specOf(picker).follow?.(picker, event, state) ?? picker,
  create: app => ({
    open: (kind, request = {}) => lists[kind].open?.(app, request),
    size: picker => specOf(picker).size(picker),
    filtered: (picker, filter) => specOf(picker).filter(picker, filter),
    letters: picker => specOf(picker).letters(picker),
    press: (picker, letter) => specOf(picker).press?.(app, picker, letter),
    isDismissedByTyping: picker => specOf(picker).isDismissedByTyping?.(picker) ?? false,
    take: picker => specOf(picker).take(app, picker),
    widen: picker => specOf(picker).widen?.(app, picker),
    rename: picker => specOf(picker).rename?.(app, picker),
    remove: picker => specOf(picker).remove?.(app, picker),
    closed(picker) {
      specOf(picker).closed?.(app)
      app.choicePrompt.askNext()
    },
  }),
}
