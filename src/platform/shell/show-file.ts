/** Opens a file or a text in the user's own editor for reading. */
import { basename } from 'node:path'
import { messageOf } from '../errors.ts'
import { resolveEditor, type EditorPlace } from './editor.ts'
import { runInForeground } from './foreground.ts'
import { withTemporaryFile } from './temporary.ts'

/** The beginning of a sentence about the failure; null for success. */
type EditorProblem = string | null

/** Opens a file at a line, counted from 1; null for the editor's default. The caller has released the terminal. */
export async function showFile(path: string, line: number | null, place: EditorPlace): Promise<EditorProblem> {
  const editor = resolveEditor(place)
  if ('problem' in editor) return editor.problem
  const args = [...editor.args, ...placeArguments(editor.file, path, line)]
  return runInForeground({ file: editor.file, args, env: place.env, name: 'The editor' })
}

/** Opens a copy of a text; changes are discarded. */
export async function showText(text: string, name: string, place: EditorPlace): Promise<EditorProblem> {
  try {
    return await withTemporaryFile(name, text, path => showFile(path, null, place))
  } catch (error) {
    return `The text cannot be written for the editor: ${messageOf(error)}`
  }
}

/** The arguments for a line in each editor; an unknown editor gets only the file. */
function placeArguments(editor: string, path: string, line: number | null): string[] {
  if (line === null) return [path]
  const name = basename(editor).replace(/\.(?:cmd|exe)$/i, '')
  if (/^(?:n?vim?|view|nano|emacs(?:client)?|micro|kak|joe|ne|mg|gedit)$/.test(name)) return [`+${line}`, path]
  if (/^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/.test(name)) return ['--goto', `${path}:${line}`]
  return /^(?:hx|helix|subl|zed|zeditor)$/.test(name) ? [`${path}:${line}`] : [path]
}
