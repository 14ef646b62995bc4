/** Hands the terminal to the user's editor. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { EditorPlace } from '../../platform/shell/editor.ts'
import { showFile, showText } from '../../platform/shell/show-file.ts'
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from './context.ts'

type EditorContext = Pick<AppContext, 'host' | 'hint'>

/** `run` resolves with a problem, which is then shown, or null. */
export async function openInEditor(
  { host, hint }: EditorContext,
  run: (place: EditorPlace) => Promise<string | null>,
): Promise<void> {
  if (!host) return hint('There is no terminal for an editor.')
  let problem: string | null = null
  await host.lendTerminal(async () => {
    problem = await run(host)
  })
  if (problem !== null) hint(sentence(problem))
}

/** Opens a text; the editor finds its language by the extension of the name. */
export async function openTextInEditor(context: EditorContext, text: string, name: string): Promise<void> {
  await openInEditor(context, place => showText(text, name, place))
}

/** Opens a file of the project, or of another folder, at a line, counted from 1; null for the editor's default. */
export async function openFileInEditor(
  context: EditorContext,
  path: string,
  line: number | null,
  folder = context.host?.folder ?? '.',
): Promise<void> {
  const { host, hint } = context
  if (host?.remote) return hint(`Files on ${host.remote.name} cannot be opened from here.`)
  await openInEditor(context, place => showFile(resolve(folder, path), line, place))
}

/** The same for a file that may be gone. `name` is the one that users see. */
export async function openKeptFileInEditor(
  context: EditorContext,
  { file, name, line }: { file: string; name: string; line: number | null },
): Promise<void> {
  const isHere = !context.host?.remote
  if (isHere && !existsSync(file)) return context.hint(`${name} no longer exists.`)
  await openFileInEditor(context, file, line)
}
