/** The draft in the user's own editor. */
import { withoutChips } from '../../composer/chips.ts'
import { edit } from '../../composer/editor.ts'
import { normalisePaste } from '../../composer/paste.ts'
import { editText } from '../../platform/shell/editor.ts'
import { sentence } from '../../text/sentence.ts'
import { expand, withChipsAgain } from '../../state/composer/chips.ts'
import type { AppContext } from '../context/context.ts'
import type { Composing } from './composing.ts'

/** `/editor`: its text goes back into the composer, which running the command has cleared. */
export async function openEditor(context: AppContext, composing: Pick<Composing, 'edit'>, text: string): Promise<void> {
  if (text !== '') composing.edit({ kind: 'setText', text })
  await editDraft(context)
}

/**
 * Opens the draft in the user's editor, with the content of its chips, and puts the result into the composer.
 * The draft survives every error.
 */
export async function editDraft(context: AppContext): Promise<void> {
  const { state, dispatch } = context
  const { editor, chips } = state()
  const text = await editDraftText(context, expand(editor.text, chips).text)
  if (text === null) return
  const next = edit(
    state().editor,
    { kind: 'setText', text: withChipsAgain(text, editor.text, chips) },
    context.composerWidth(),
  )
  dispatch({ type: 'edited', editor: next })
}

/** A text after the user has changed it in an editor; null if it is the same. */
export async function editDraftText(
  { host, addNotice, hint }: Pick<AppContext, 'host' | 'addNotice' | 'hint'>,
  before: string,
): Promise<string | null> {
  if (!host) {
    hint('There is no terminal for an editor.')
    return null
  }
  let edited: Awaited<ReturnType<typeof editText>> | undefined
  await host.lendTerminal(async () => {
    edited = await editText(before, host)
  })
  if (!edited) return null
  if (edited.problem !== undefined) addNotice('warn', sentence(edited.problem))
  const text = normalisePaste(withoutChips(edited.text))
  return text === before ? null : text
}
