/** The transcript viewer, as far as the program knows of it: what its keys do beyond moving in it. */
import { resolve } from 'node:path'
import { showFile, showText } from '../shell/show-file.ts'
import type { Clipboard } from './clipboard.ts'
import type { Context } from './context.ts'
import { lendToEditor } from './editor-loan.ts'
import { exportConversation, transcriptText } from './exporting.ts'
import type { ScrollMove } from './scroll-move.ts'

/** The ways to move in the viewer; what they mean is the viewer's own affair. */
export type ViewerMove =
  | ScrollMove
  | 'next_block'
  | 'previous_block'
  | 'next_prompt'
  | 'previous_prompt'
  | 'toggle'
  | 'toggle_all'
  | 'search'
  | 'next_match'
  | 'previous_match'
  | 'turns'
  | 'erase'
  | 'help'
  | 'leave'

/** What is done with what is seen in it. */
export type ViewerWork = 'copy' | 'copy_answer' | 'dump' | 'edit' | 'edit_file' | 'export'

export type ViewerSource = { text: string; what: string; extension: string }

/** The viewer on its screen. */
export type Viewer = {
  open: () => void
  close: () => void
  perform: (move: ViewerMove) => void
  /** Takes what is typed where something is; false where it is keys. */
  type: (text: string) => boolean
  /** Whether a list or a search is open in it, which `leave` closes first. */
  isBusy: () => boolean
  /** What the chosen block was made from; all that was answered in its turn; the file that it is about. */
  source: () => ViewerSource | null
  answer: () => ViewerSource | null
  file: () => { path: string; line: number | null } | null
  /** Prints a text into the scrollback as it is. */
  print: (text: string) => void
}

/** As the table of keys has them. */
export type ViewerAction = { do: `viewer_${ViewerMove | ViewerWork}` }

export function isViewerAction(action: { do: string }): action is ViewerAction {
  return action.do.startsWith('viewer_')
}

export type Viewing = {
  open: () => void
  /** Does nothing while it is closed. */
  close: () => void
  perform: (action: ViewerAction) => void
  type: (text: string) => boolean
}

export function createViewing(context: Context, viewer: Viewer, clipboard: Clipboard): Viewing {
  const { state, dispatch, hint, desk } = context
  const works: Record<ViewerWork, () => void> = {
    copy: () => void copy(viewer.source()),
    copy_answer: () => void copy(viewer.answer()),
    dump: () => void dump(),
    edit: () => void edit(),
    edit_file: () => void editFile(),
    export: () =>
      void exportConversation(
        { ...context, remark: (_level, text, more) => hint([text, more ?? ''].join('   ').trimEnd()) },
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

  function perform({ do: action }: ViewerAction): void {
    if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
    const how = action.slice('viewer_'.length) as ViewerMove | ViewerWork
    if (isWork(how)) works[how]()
    else if (how === 'leave' && !viewer.isBusy()) close()
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
    if (note !== '') context.remark('warn', note)
  }

  async function edit(): Promise<void> {
    const { text, note } = await transcriptText(context)
    await lendToEditor(context, env => showText(text, 'transcript.md', env))
    if (note !== '' && state().hint === null) hint(note)
  }

  async function editFile(): Promise<void> {
    const file = viewer.file()
    if (file) return lendToEditor(context, env => showFile(resolve(desk?.folder ?? '.', file.path), file.line, env))
    const source = viewer.source()
    if (!source) return hint('There is nothing to open here.')
    await lendToEditor(context, env => showText(source.text, `block.${source.extension}`, env))
  }
}
