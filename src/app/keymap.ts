/**
 * Which key does what: one table for the program and the help. A key's name is its modifiers in the order ctrl, alt,
 * shift and then the key, joined by `+`. The contexts of what is open are asked first, the composer last.
 */
import type { EditCommand } from '../composer/editor.ts'
import type { Motion } from '../composer/motion.ts'

/** The edits that need nothing more than their name. */
type PlainCommand = Exclude<EditCommand['kind'], 'insert' | 'paste' | 'chip' | 'replace' | 'setText' | 'move'>

export type Action =
  | { do: 'submit' | 'queue_or_complete' | 'stop' | 'interrupt' | 'exit_or_delete' | 'emergency' | 'redraw' }
  | { do: 'up' | 'down' | 'next_reasoning' | 'pick_model' | 'compact' | 'take_queued_back' }
  | { do: 'popup_up' | 'popup_down' | 'popup_take' | 'popup_run' | 'popup_close' }
  | { do: 'picker_up' | 'picker_down' | 'picker_take' | 'picker_close' | 'picker_erase' }
  | { do: 'edit'; command: EditCommand }

export type Context = 'composer' | 'popup' | 'picker'

export type Binding = {
  keys: readonly string[]
  context: Context
  action: Action
  /** Shown by /help; null for keys that everybody expects. */
  help: string | null
}

const composer: readonly Binding[] = [
  bind(['enter'], { do: 'submit' }, 'send; while the agent works: queue'),
  bind(['ctrl+j', 'shift+enter', 'alt+enter'], edits('newline'), 'a new line (or \\ before Enter)'),
  bind(['escape'], { do: 'stop' }, 'stop the agent; the draft stays'),
  bind(['ctrl+c'], { do: 'interrupt' }, 'stop; idle: clear the draft, then twice to leave'),
  bind(['ctrl+d'], { do: 'exit_or_delete' }, 'leave, when the composer is empty'),
  bind(['ctrl+\\'], { do: 'emergency' }, 'end the agent and leave at once'),
  bind(['ctrl+l'], { do: 'redraw' }, 'draw the screen anew'),
  bind(['up'], { do: 'up' }, 'earlier prompts, at the first line'),
  bind(['down'], { do: 'down' }, 'later prompts, at the last line'),
  bind(['alt+up'], { do: 'take_queued_back' }, 'take a queued message back for editing'),
  bind(['tab'], { do: 'queue_or_complete' }, 'complete; while the agent works: queue'),
  bind(['shift+tab'], { do: 'next_reasoning' }, 'next reasoning level'),
  bind(['alt+p'], { do: 'pick_model' }, 'switch the model'),
  bind(['alt+k'], { do: 'compact' }, 'compact the conversation'),
  bind(['ctrl+a'], moves('lineStart'), 'beginning of the line'),
  bind(['home'], moves('lineStart'), null),
  bind(['ctrl+e'], moves('lineEnd'), 'end of the line'),
  bind(['end'], moves('lineEnd'), null),
  bind(['ctrl+b', 'left'], moves('left'), null),
  bind(['ctrl+f', 'right'], moves('right'), null),
  bind(['alt+b', 'ctrl+left', 'alt+left'], moves('wordLeft'), 'a word back'),
  bind(['alt+f', 'ctrl+right', 'alt+right'], moves('wordRight'), 'a word forward'),
  bind(['backspace', 'ctrl+h', 'shift+backspace'], edits('deleteLeft'), null),
  bind(['delete'], edits('deleteRight'), null),
  bind(['ctrl+w'], edits('deleteWordLeft'), 'delete a word'),
  bind(['alt+backspace', 'ctrl+backspace'], edits('killWordLeft'), null),
  bind(['alt+d', 'ctrl+delete', 'alt+delete'], edits('killWordRight'), null),
  bind(['ctrl+u'], edits('killToLineStart'), 'delete to the beginning of the line'),
  bind(['ctrl+k'], edits('killToLineEnd'), 'delete to the end of the line'),
  bind(['ctrl+y'], edits('yank'), 'put back what was deleted'),
  bind(['alt+y'], edits('yankPop'), null),
  bind(['ctrl+_', 'ctrl+-', 'ctrl+/'], edits('undo'), 'undo'),
  bind(['alt+_'], edits('redo'), 'redo'),
]

const popup: readonly Binding[] = [
  bind(['up', 'ctrl+p'], { do: 'popup_up' }, null, 'popup'),
  bind(['down', 'ctrl+n'], { do: 'popup_down' }, null, 'popup'),
  bind(['tab'], { do: 'popup_take' }, null, 'popup'),
  bind(['enter'], { do: 'popup_run' }, null, 'popup'),
  bind(['escape'], { do: 'popup_close' }, null, 'popup'),
]

const picker: readonly Binding[] = [
  bind(['up', 'ctrl+p'], { do: 'picker_up' }, null, 'picker'),
  bind(['down', 'ctrl+n'], { do: 'picker_down' }, null, 'picker'),
  bind(['enter', 'tab'], { do: 'picker_take' }, null, 'picker'),
  bind(['escape', 'ctrl+c'], { do: 'picker_close' }, null, 'picker'),
  bind(['backspace', 'ctrl+h'], { do: 'picker_erase' }, null, 'picker'),
]

export const bindings: readonly Binding[] = [...popup, ...picker, ...composer]

const byContext: Record<Context, ReadonlyMap<string, Action>> = {
  composer: indexOf(composer),
  popup: indexOf(popup),
  picker: indexOf(picker),
}

/** What a key does, or null. A popup leaves to the composer what it has no use for; a picker has the keyboard alone. */
export function actionFor(key: string, context: Context): Action | null {
  const own = byContext[context].get(key)
  if (own) return own
  const always = key === 'ctrl+\\' || key === 'ctrl+l'
  return context === 'picker' && !always ? null : (byContext.composer.get(key) ?? null)
}

function bind(keys: readonly string[], action: Action, help: string | null, context: Context = 'composer'): Binding {
  return { keys, context, action, help }
}

function edits(kind: PlainCommand): Action {
  return { do: 'edit', command: { kind } }
}

function moves(to: Motion): Action {
  return { do: 'edit', command: { kind: 'move', to } }
}

function indexOf(table: readonly Binding[]): ReadonlyMap<string, Action> {
  return new Map(table.flatMap(each => each.keys.map(key => [key, each.action] as const)))
}
