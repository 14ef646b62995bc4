/** The keys of a question in the place of the composer. Digits choose an answer by its number. */
import type { Binding } from './binding.ts'
import type { QuestionMove } from './question.ts'

export const questionKeys: readonly Binding[] = [
  bind(['up', 'ctrl+p'], 'up', 'the answer above'),
  bind(['down', 'ctrl+n'], 'down', 'the answer below'),
  bind(
    ['enter'],
    'take',
    'select the chosen answer; a digit picks one directly. With text in the composer it never answers',
  ),
  bind(['y'], 'yes', 'yes, once'),
  bind(
    ['a'],
    'again',
    'yes, for this session: exactly this command, file, host or folder; or what the agent calls always',
  ),
  bind(['m'], 'more', 'yes, for more or for longer: lists what, and for how long'),
  bind(['n'], 'no', 'no'),
  bind(['w', 'tab'], 'instead', 'no, and tell the agent what to do instead'),
  bind(['e'], 'edit_command', 'edit the command first'),
  bind(['Y'], 'yes_all', 'yes to all that are waiting'),
  bind(['N'], 'no_all', 'no to all that are waiting'),
  bind(['left'], 'previous', 'the previous question'),
  bind(['right'], 'next', 'the next question'),
  bind(['pageup', 'ctrl+up'], 'page_up', 'scroll up in what will run'),
  bind(['pagedown', 'ctrl+down'], 'page_down', 'scroll down in what will run'),
  bind(['shift+tab'], 'next_mode', 'next permission mode, which may answer it; or the next mode of the agent'),
  bind(['t'], 'take_over', 'add a side answer to the conversation'),
  bind(['escape'], 'leave', 'no, and stop the turn; in a sub-question: cancel'),
  bind(['enter'], 'take', 'answer with what was typed', 'typed'),
  bind(['escape'], 'leave', 'cancel, back to the answers', 'typed'),
]

function bind(
  keys: readonly string[],
  how: QuestionMove,
  help: string,
  context: Binding['context'] = 'question',
): Binding {
  return { keys, context, action: { do: 'question', how }, help, ...(context === 'typed' && { isKnown: true }) }
}
