/** Opens the draft in the user's own editor. If the editor fails, the text is not lost. */
import { basename } from 'node:path'
import { messageOf } from '../errors.ts'
import { runInForeground } from './foreground.ts'
import { onlyInProject, searchProgram } from '../programs.ts'
import { readRegularFile } from '../regular-file.ts'
import { withTemporaryFile } from './temporary.ts'
import { splitWords } from './quoting.ts'

export type EditedDraft = {
  text: string
  /** The problem, as a sentence for the user; `text` is then the best available. */
  problem?: string
}

/** As much as a paste may hold, in bytes. */
const LIMIT = 10_000_000

/** Editors that open a window and return at once unless they get `--wait`. */
const WINDOWED = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf|subl|zed|zeditor|mate)(?:\.(?:cmd|exe))?$/i

/** The editor's whole environment, and the folder that zotui works in. */
export type EditorPlace = { env: NodeJS.ProcessEnv; folder: string }

/**
 * Opens the text in `$VISUAL`, else `$EDITOR`, else an installed editor, and resolves with the edited text. The editor uses the
 * terminal, which the caller has released. Never rejects.
 */
export async function editText(text: string, place: EditorPlace): Promise<EditedDraft> {
  const { env } = place
  const editor = resolveEditor(place)
  if ('problem' in editor) return { text, problem: editor.problem }
  try {
    return await withTemporaryFile('draft.md', text, async (path, keep) => {
      const { file, args } = editor
      const failure = await runInForeground({ file, args: [...args, path], env, name: 'The editor' })
      return readBack(path, text, failure, keep)
    })
  } catch (error) {
    return { text, problem: `The draft cannot be written for the editor: ${messageOf(error)}` }
  }
}

export type ExternalEditor = { file: string; args: readonly string[] }

/** The user's editor. One that is named in the environment and missing is a problem; no other is used instead. */
export function resolveEditor({ env, folder }: EditorPlace): ExternalEditor | { problem: string } {
  const variable = (['VISUAL', 'EDITOR'] as const).find(name => (env[name] ?? '').trim() !== '')
  if (variable === undefined) return defaultEditor({ env, folder })
  const said = (env[variable] ?? '').trim()
  // The path may contain blanks without quotes.
  const whole = /[/\\]/.test(said) ? searchProgram(said, env, folder).path : null
  if (whole !== null) return waiting({ file: whole, args: [] })
  const words = splitWords(said, process.platform === 'win32')
  if (words === null) return { problem: `There is an unclosed quote in $${variable}: ${said}` }
  const [name = '', ...args] = words
  const { path: file, ofProject } = searchProgram(name, env, folder)
  if (file !== null) return waiting({ file, args })
  const hint = ofProject === null ? '' : `; ${onlyInProject(ofProject)}`
  return { problem: `The editor in $${variable} was not found: ${name}${hint}` }
}

function defaultEditor({ env, folder }: EditorPlace): ExternalEditor | { problem: string } {
  const names = process.platform === 'win32' ? ['notepad'] : ['vi', 'nano']
  for (const name of names) {
    const file = searchProgram(name, env, folder).path
    if (file !== null) return { file, args: [] }
  }
  return { problem: 'No editor was found. Set $VISUAL or $EDITOR to yours.' }
}

function waiting(editor: ExternalEditor): ExternalEditor {
  const waits = editor.args.some(arg => arg === '--wait' || arg === '-w')
  return waits || !WINDOWED.test(basename(editor.file)) ? editor : { ...editor, args: [...editor.args, '--wait'] }
}

/** A file that cannot be read back is kept: it is the only copy. */
async function readBack(path: string, before: string, failure: string | null, keep: () => void): Promise<EditedDraft> {
  const read = await readRegularFile(path, LIMIT)
  if (!read.ok) {
    const stays = read.reason !== 'is not there'
    if (stays) keep()
    const file = `its file ${stays ? `${path} ` : ''}${read.reason}`
    return { text: before, problem: `${failure ?? 'The editor closed'}, but ${file}; the draft is unchanged.` }
  }
  const text = asTyped(read.bytes.toString('utf8'), before)
  if (failure === null) return { text }
  // A killed editor may have left an empty file.
  if (text === '' && before !== '') return { text: before, problem: `${failure}; the draft is unchanged.` }
  const what = text === before ? 'the draft is unchanged' : 'the draft is what the editor saved'
  return { text, problem: `${failure}; ${what}.` }
}

/** Removes what editors add by themselves: a byte order mark, CRLF, and a final newline. */
function asTyped(text: string, before: string): string {
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  return lines.endsWith('\n') && !before.endsWith('\n') ? lines.slice(0, -1) : lines
}
