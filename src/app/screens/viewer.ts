/** Opens the transcript viewer, and carries out the actions of its keys that do more than move. */
import { resolve } from 'node:path'
import { showFile, showText } from '../../platform/shell/show-file.ts'
import type { Clipboard } from '../context/clipboard.ts'
import type { AppContext } from '../context/context.ts'
import { openInEditor } from '../context/open-in-editor.ts'
import { exportConversation, transcriptText } from '../commands/export.ts'
import type { ViewerWork, ViewerSource, Viewer, ViewerAction } from '../../state/screens/viewer-screen.ts'
export type ViewerCommands = {
  open: () => void
  /** Does nothing while it is closed. */
  close: () => void
  perform: (how: ViewerAction['how']) => void
  type: (text: string) => boolean
}

export function createViewerCommands(context: AppContext, viewer: Viewer, clipboard: Clipboard): ViewerCommands {
  const { state, dispatch, hint, host } = context
  const works: Record<ViewerWork, () => void> = {
    copy: () => void copy(viewer.source()),
    copy_answer: () => void copy(viewer.answer()),
    dump: () => void dump(),
    edit: () => void edit(),
    edit_file: () => void editFile(),
    export: () =>
      void exportConversation(
        { ...context, aside: (_level, text, more) => hint([text, more ?? ''].join('   ').trimEnd()) },
        '',
      ),
  }
  return { open, close, perform, type: viewer.type }

  function open(): void {
    if (state().viewing || state().leaving) return
    dispatch({ type: 'viewer_opened', viewing: 'conversation' })
    viewer.open()
  }

  function close(): void {
    if (state().viewing !== 'conversation') return
    dispatch({ type: 'viewer_opened', viewing: null })
    viewer.close()
  }

  function perform(how: ViewerAction['how']): void {
    if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
    const { overlay, search } = state().viewer
    if (isWork(how)) works[how]()
    else if (!overlay && (how === 'close' || (how === 'leave' && !search))) close()
    else viewer.perform(how)
  }

  function isWork(how: string): how is ViewerWork {
    return Object.hasOwn(works, how)
  }

  async function copy(source: ViewerSource | null): Promise<void> {
    if (!source) return hint('There is nothing to copy here.')
    hint(await clipboard.copy(source.text, source.what))
  }

  async function dump(): Promise<void> {
    const { text, note } = await transcriptText(context)
    close()
    viewer.print(text)
    if (note !== '') context.aside('warn', note)
  }

  async function edit(): Promise<void> {
    const { text, note } = await transcriptText(context)
    await openInEditor(context, place => showText(text, 'transcript.md', place))
    if (note !== '' && state().hint === null) hint(note)
  }

  async function editFile(): Promise<void> {
    const file = viewer.file()
    if (file && host?.elsewhere) return context.hint(`Files on ${host.elsewhere.name} cannot be opened from here.`)
    if (file) return openInEditor(context, place => showFile(resolve(host?.folder ?? '.', file.path), file.line, place))
    const source = viewer.source()
    if (!source) return hint('There is nothing to open here.')
    await openInEditor(context, place => showText(source.text, `block.${source.extension}`, place))
  }
}
