/** Puts a prompt that zotui has made into the composer, to be read, changed and sent. */
import { edit } from '../../composer/editor.ts'
import { addEntry } from '../../composer/history.ts'
import { normalisePaste } from '../../composer/paste.ts'
import type { AppContext } from '../context/context.ts'

/** `what` begins the hint with its verb, and `them` stands for it: `The comments are`, `them`. */
type OfferedWords = { what: string; them: string }

/**
 * What is in the composer stays: a prompt goes on below it. Where that cannot be, as in a note, a command or an entry of the queue, the
 * new one is the latest of the history instead.
 */
export function offerPrompt(context: AppContext, prompt: string, { what, them }: OfferedWords): void {
  const { state, dispatch, hint, keyed, drafts } = context
  const { editor, edited, noting, history } = state()
  const text = normalisePaste(prompt)
  const isBusy = edited !== null || noting || history.at !== null || /^\s*[/!]/.test(editor.text)
  if (isBusy) {
    drafts.remember(text)
    dispatch({ type: 'history_moved', editor, history: addEntry(history, text) })
    return hint(keyed(`${what} ready: {composer.up} fetches ${them}.`))
  }
  const before = editor.text.trim() === '' ? '' : `${editor.text.trimEnd()}\n\n`
  const next = edit(editor, { kind: 'setText', text: before + text }, context.composerWidth())
  dispatch({ type: 'edited', editor: next })
  hint(keyed(`${what} in the prompt: {composer.submit} sends ${them}${before === '' ? '' : ' with your draft'}.`))
}
