/**
 * The table of keys, for the program and the help. A key's name is its modifiers in the order ctrl, alt, shift and then
 * the key, joined by `+`; a space separates the two keys of a chord. The context of an open list is looked up first,
 * the composer's last.
 */
import type { Motion } from '../composer/motion.ts'
import { actionName } from '../config/keys/action-name.ts'
import type { KeyNames } from '../text/key-hints.ts'
import { favourites, isOfPage, type Action, type Binding, type KeyContext, type PlainCommand } from './binding.ts'
import { questionKeys } from './question-keys.ts'

const composer: readonly Binding[] = [
  bind(['enter'], { do: 'submit' }, 'send; while the agent works: queue, or steer if `enterWhileWorking` says so'),
  bind(['ctrl+enter'], { do: 'send_now' }, 'stop the agent and send, at once (or /now)'),
  bind(
    ['alt+s'],
    { do: 'steer' },
    'steer: the running turn gets it at its next safe point; an empty composer sends the first queued message (or /steer)',
  ),
  bind(['ctrl+j', 'shift+enter', 'alt+enter'], edits('newline'), 'a new line (or \\ before Enter)'),
  bind(['escape'], { do: 'stop' }, 'stop the agent; the draft stays'),
  bind(['ctrl+c'], { do: 'interrupt' }, 'stop; idle: clear the draft; press twice to exit'),
  bind(['ctrl+d'], { do: 'exit_or_delete' }, 'exit, when the composer is empty'),
  {
    ...bind(['ctrl+\\'], { do: 'force_quit' }, 'kill the agent and exit at once'),
    fixed: true,
  },
  bind(['ctrl+l'], { do: 'redraw' }, 'redraw'),
  bind(['ctrl+o'], { do: 'view' }, 'open the whole conversation to search and copy it; ? lists its keys'),
  bind(['alt+c'], { do: 'copy_code' }, 'copy the last code block, or else the answer (or /copy)'),
  bind(['alt+r'], { do: 'raw' }, 'raw mode: show text as written, to select and copy it (or /raw)'),
  bind(['alt+h'], { do: 'thoughts' }, "unfold or fold the model's thinking (or /thoughts)"),
  bind(['ctrl+t'], { do: 'next_detail' }, 'detail of the next tool calls: names, short or full'),
  bind(['up'], { do: 'up' }, 'earlier prompts, from the first line; queued ones are edited in place'),
  bind(['down'], { do: 'down' }, 'later prompts, from the last line'),
  bind(['alt+up'], { do: 'queue_previous' }, 'edit the previous queued message'),
  bind(['alt+down'], { do: 'queue_next' }, 'edit the next queued message'),
  bind(['ctrl+r'], { do: 'search_history' }, "search this folder's prompts; again: all folders"),
  bind(['ctrl+s'], { do: 'stash' }, 'stash the draft; press again to bring it back'),
  bind(['tab'], { do: 'queue_or_complete' }, 'complete; open the chip before the caret; while the agent works: queue'),
  bind(
    ['shift+tab'],
    { do: 'next_mode' },
    'next permission mode: ask, edits, contained, plan, a confirmed allow (/permissions); or the next mode of the agent (/mode)',
  ),
  bind(['alt+t'], { do: 'next_reasoning' }, 'next reasoning level'),
  bind(['alt+x'], { do: 'list_running' }, 'who works here: subagents, commands, wake-ups (or /running)'),
  bind(['alt+a'], { do: 'list_conversations' }, 'the conversations; Alt+A 3: the third, Alt+A Alt+A: the previous one'),
  bind(['alt+g'], { do: 'news' }, 'go to the conversation that the line above names, or allow the call that it shows'),
  bind(['alt+p'], { do: 'pick_model' }, 'switch the model'),
  bind(
    ['alt+1'],
    { do: 'favourite', how: 1 },
    'the first of your favourite models; Alt+2 to 9 the others (/settings favouriteModels)',
  ),
  ...favourites
    .slice(1)
    .map(number => known([`alt+${number}`], { do: 'favourite', how: number }, `favourite model ${number}`)),
  bind(['alt+k'], { do: 'compact' }, 'compact the conversation'),
  bind(['ctrl+g', 'ctrl+x ctrl+e'], { do: 'edit_outside' }, 'edit the prompt in $VISUAL or $EDITOR'),
  bind(['ctrl+v', 'alt+v'], { do: 'paste' }, 'paste an image or text from the clipboard'),
  bind(['ctrl+z'], { do: 'suspend' }, 'suspend zotui; fg resumes it'),
  bind(['ctrl+a'], moves('lineStart'), 'beginning of the line'),
  known(['home'], moves('lineStart'), 'the beginning of the line'),
  bind(['ctrl+e'], moves('lineEnd'), 'end of the line'),
  known(['end'], moves('lineEnd'), 'the end of the line'),
  known(['ctrl+b', 'left'], moves('left'), 'a character back'),
  known(['ctrl+f', 'right'], moves('right'), 'a character forward'),
  bind(['alt+b', 'ctrl+left', 'alt+left'], moves('wordLeft'), 'a word back'),
  bind(['alt+f', 'ctrl+right', 'alt+right'], moves('wordRight'), 'a word forward'),
  known(['ctrl+home'], moves('textStart'), 'the beginning of the draft'),
  known(['ctrl+end'], moves('textEnd'), 'the end of the draft'),
  bind(['shift+left'], selects('left'), 'select; with Ctrl by word, Home and End by line, Up and Down by row'),
  known(['shift+right'], selects('right'), 'select a character forward'),
  known(['ctrl+shift+left', 'alt+shift+left'], selects('wordLeft'), 'select a word back'),
  known(['ctrl+shift+right', 'alt+shift+right'], selects('wordRight'), 'select a word forward'),
  known(['shift+up'], selects('up'), 'select a row up'),
  known(['shift+down'], selects('down'), 'select a row down'),
  known(['shift+home'], selects('lineStart'), 'select to the beginning of the line'),
  known(['shift+end'], selects('lineEnd'), 'select to the end of the line'),
  known(['ctrl+shift+home'], selects('textStart'), 'select to the beginning of the draft'),
  known(['ctrl+shift+end'], selects('textEnd'), 'select to the end of the draft'),
  known([], edits('selectAll'), 'select all'),
  bind(['alt+w'], { do: 'copy' }, 'copy what is selected'),
  bind(['shift+delete'], { do: 'cut' }, 'cut what is selected'),
  known(['backspace', 'ctrl+h', 'shift+backspace'], edits('deleteLeft'), 'delete the previous character'),
  known(['delete'], edits('deleteRight'), 'delete the next character'),
  bind(['ctrl+w'], edits('deleteWordLeft'), 'delete a word'),
  known(['alt+backspace', 'ctrl+backspace'], edits('killWordLeft'), 'delete a word back, up to punctuation'),
  known(['alt+d', 'ctrl+delete', 'alt+delete'], edits('killWordRight'), 'delete a word forward'),
  bind(['ctrl+u'], edits('killToLineStart'), 'delete to the beginning of the line'),
  bind(['ctrl+k'], edits('killToLineEnd'), 'delete to the end of the line'),
  bind(['ctrl+y'], edits('yank'), 'put back what was deleted'),
  known(['alt+y'], edits('yankPop'), 'after putting it back: replace it with the previous deletion'),
  bind(['ctrl+_', 'ctrl+-', 'ctrl+/'], edits('undo'), 'undo'),
  bind(['alt+_'], edits('redo'), 'redo'),
]

const popup: readonly Binding[] = [
  known(['up', 'ctrl+p'], { do: 'popup_up' }, 'the row above', 'popup'),
  known(['down', 'ctrl+n'], { do: 'popup_down' }, 'the row below', 'popup'),
  known(['tab'], { do: 'popup_take' }, 'complete the draft with it', 'popup'),
  known(['enter'], { do: 'popup_run' }, 'complete it; a complete command is run', 'popup'),
  known(['escape'], { do: 'popup_close' }, 'close the popup; the draft stays', 'popup'),
]

const picker: readonly Binding[] = [
  known(['up', 'ctrl+p'], { do: 'picker_up' }, 'the row above', 'picker'),
  known(['down', 'ctrl+n'], { do: 'picker_down' }, 'the row below', 'picker'),
  known(['enter', 'tab'], { do: 'picker_take' }, 'select the chosen row', 'picker'),
  known(['escape', 'ctrl+c'], { do: 'picker_close' }, 'close the list', 'picker'),
  known(['backspace', 'ctrl+h'], { do: 'picker_erase' }, 'delete a character of the search', 'picker'),
  known(['ctrl+r', 'ctrl+a'], { do: 'picker_widen' }, 'prompts and sessions: search all folders', 'picker'),
  known(['alt+a'], { do: 'list_conversations' }, 'conversations: the previous one', 'picker'),
  known(['ctrl+e'], { do: 'picker_rename' }, 'sessions: rename it', 'picker'),
  known(['ctrl+d', 'delete'], { do: 'picker_remove' }, 'sessions: delete it, after confirmation', 'picker'),
]

/** The keys of the program, without those of the pages, which have them themselves (`components/pages`). */
export const bindings: readonly Binding[] = [...popup, ...picker, ...questionKeys, ...composer]

export type Keymap = {
  bindings: readonly Binding[]
  /** The keys of each action, for hints. */
  names: KeyNames
  /** The action of a key, or null. Keys that a popup does not use go to the composer; a picker takes all keys. */
  actionFor: (key: string, context: KeyContext) => Action | null
  /** True if a key is the first of a chord. */
  begins: (key: string, context: KeyContext) => boolean
}

export function createKeymap(table: readonly Binding[]): Keymap {
  const maps = new Map<KeyContext, Map<string, Action>>()
  const fields = new Set<KeyContext>()
  for (const { keys, context, action, isOfField } of table) {
    if (isOfField) fields.add(context)
    const map = maps.get(context) ?? new Map<string, Action>()
    maps.set(context, map)
    for (const key of keys) map.set(key, action)
  }
  function actionFor(key: string, context: KeyContext): Action | null {
    const own = maps.get(context)?.get(key)
    if (own) return own
    const action = maps.get('composer')?.get(key) ?? null
    const always = action?.do === 'force_quit' || action?.do === 'redraw'
    const edits = action?.do === 'edit' && fields.has(context)
    if (isOfPage(context)) return always || edits || action?.do === 'suspend' ? action : null
    return context === 'picker' && !always ? null : action
  }
  const firsts = new Set(table.flatMap(({ keys }) => keys.flatMap(key => /^(\S+) \S/.exec(key)?.[1] ?? [])))
  return {
    bindings: table,
    names: namesOf(table),
    actionFor,
    begins: (key, context) =>
      firsts.has(key) && (context === 'composer' || context === 'popup') && actionFor(key, context) === null,
  }
}

export const defaultKeymap = createKeymap(bindings)

function namesOf(table: readonly Binding[]): KeyNames {
  const names = new Map<string, readonly string[]>()
  for (const { context, action, keys } of table) {
    const name = `${context}.${actionName(context, action)}`
    names.set(name, [...(names.get(name) ?? []), ...keys])
  }
  return names
}

/** Matches keys one after the other; `waits` for the second key of a chord. A key that completes none acts alone. */
export function createChordMatcher({ actionFor, begins }: Keymap): {
  match: (key: string, context: KeyContext) => Action | 'waits' | null
  /** Called when text was typed: the chord is dropped. */
  forget: () => void
} {
  let first: string | null = null
  return {
    match(key, context) {
      const both = first === null ? null : actionFor(`${first} ${key}`, context)
      first = null
      if (both) return both
      if (!begins(key, context)) return actionFor(key, context)
      first = key
      return 'waits'
    },
    forget() {
      first = null
    },
  }
}

function bind(keys: readonly string[], action: Action, help: string, context: KeyContext = 'composer'): Binding {
  return { keys, context, action, help }
}

/** A binding that /help omits. */
function known(...binding: Parameters<typeof bind>): Binding {
  return { ...bind(...binding), isKnown: true }
}

function edits(kind: PlainCommand): Action {
  return { do: 'edit', command: { kind } }
}

function moves(to: Motion): Action {
  return { do: 'edit', command: { kind: 'move', to } }
}

function selects(to: Motion): Action {
  return { do: 'edit', command: { kind: 'move', to, select: true } }
}
