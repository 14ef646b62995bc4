/** The actions that keys do, and where. */
import type { EditCommand } from '../composer/editor.ts'
import type { QuestionAction } from './question.ts'

/** The edits without parameters. */
export type PlainCommand = Exclude<EditCommand['kind'], 'insert' | 'paste' | 'chip' | 'replace' | 'setText' | 'move'>

export type Action =
  | {
      do:
        | 'submit'
        | 'queue_or_complete'
        | 'stop'
        | 'interrupt'
        | 'exit_or_delete'
        | 'force_quit'
        | 'redraw'
        | 'next_detail'
        | 'raw'
        | 'thoughts'
    }
  | { do: 'up' | 'down' | 'next_reasoning' | 'pick_model' | 'compact' | 'queue_previous' | 'queue_next' }
  | { do: 'send_now' | 'steer' | 'stash' | 'search_history' }
  | { do: 'edit_outside' | 'suspend' | 'paste' | 'copy' | 'cut' }
  | { do: 'popup_up' | 'popup_down' | 'popup_take' | 'popup_run' | 'popup_close' }
  | { do: 'picker_up' | 'picker_down' | 'picker_take' | 'picker_close' | 'picker_erase' | 'picker_widen' }
  | { do: 'picker_rename' | 'picker_remove' }
  | { do: 'view' | 'copy_code' }
  | FavouriteAction
  | PageAction
  | QuestionAction
  | { do: 'next_mode' | 'list_running' | 'list_conversations' | 'news' }
  | { do: 'edit'; command: EditCommand }

/** The contexts of the program itself. Each page has its own, which the table of the pages names. */
const ownContexts = ['composer', 'popup', 'picker', 'question', 'typed'] as const

/** Where keys do something, as in `keys.json`. */
export type KeyContext = (typeof ownContexts)[number] | (string & Record<never, never>)

export function isOfPage(context: KeyContext): boolean {
  return !ownContexts.some(own => own === context)
}

/** What a key does on the page that is open. The page knows these names. */
export type PageAction = { do: 'page'; how: string }

export type Binding = {
  keys: readonly string[]
  context: KeyContext
  action: Action
  help: string
  /** The heading in /help of the page whose key it is. */
  heading?: string
  /** True if every user knows the key: /help omits it. */
  isKnown?: boolean
  /** True in the text field of a page, where keys of the composer edit as well. */
  isOfField?: boolean
  /** True if `keys.json` cannot change its keys. */
  fixed?: boolean
}

/** The digits of the keys for favourite models. */
export const favourites = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
type FavouriteAction = { do: 'favourite'; how: (typeof favourites)[number] }
