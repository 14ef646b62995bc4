/** Opens the draft in the person's own editor. If the editor fails, the text is not lost. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { runInForeground } from './foreground.ts'
import { findProgram } from './program.ts'
import { readRegularFile } from '../regular-file.ts'
import { splitWords } from './words.ts'

export type Edited = {
  text: string
  /** What went wrong, as a sentence for the person; `text` is then the best available. */
  problem?: string
}

/** As much as a paste may hold, in bytes. */
const LIMIT = 10_000_000

/** Editors that open a window and return at once unless they get `--wait`. */
const WINDOWED = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf|subl|zed|zeditor|mate)(?:\.(?:cmd|exe))?$/i

/**
 * Opens the text in `$VISUAL`, else `$EDITOR`, else an installed editor, and resolves with the edited text. The editor uses the
 * terminal, which the caller has released. `env` is the editor's whole environment. Never rejects.
 */
export async function editText(text: string, env: NodeJS.ProcessEnv): Promise<Edited> {
  const editor = await resolveEditor(env)
  if ('problem' in editor) return { text, problem: editor.problem }
  let folder: string | undefined
  try {
    // mkdtemp makes folders that are the person's alone.
    folder = await mkdtemp(join(tmpdir(), 'zotui-'))
    const path = join(folder, 'draft.md')
    await writeFile(path, text, { mode: 0o600, flag: 'wx' })
    const { file, args } = editor
    const failure = await runInForeground({ file, args: [...args, path], env, name: 'The editor' })
    const edited = await readBack(path, text, failure)
    // A file that cannot be read back is kept: it is the only copy.
    if (edited.kept) folder = undefined
    return edited.problem === undefined ? { text: edited.text } : { text: edited.text, problem: edited.problem }
  } catch (error) {
    return { text, problem: `The draft cannot be written for the editor: ${messageOf(error)}` }
  } finally {
    // A folder that cannot be removed is left to the system, which clears its own.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

export type ExternalEditor = { file: string; args: readonly string[] }

/** The person's editor. One that is named in the environment and missing is a problem; no other is used instead. */
export async function resolveEditor(env: NodeJS.ProcessEnv): Promise<ExternalEditor | { problem: string }> {
  const variable = ['VISUAL', 'EDITOR'].find(name => (env[name] ?? '').trim() !== '')
  if (variable === undefined) return defaultEditor(env)
  const said = (env[variable] ?? '').trim()
  // The path may contain blanks without quotes.
  const whole = /[/\\]/.test(said) ? await findProgram(said, env) : null
  if (whole !== null) return waiting({ file: whole, args: [] })
  const words = splitWords(said, process.platform === 'win32')
  if (words === null) return { problem: `There is an unclosed quote in $${variable}: ${said}` }
  const [name = '', ...args] = words
  const file = await findProgram(name, env)
  if (file === null) return { problem: `The editor in $${variable} was not found: ${name}` }
  return waiting({ file, args })
}

async function defaultEditor(env: NodeJS.ProcessEnv): Promise<ExternalEditor | { problem: string }> {
  const names = process.platform === 'win32' ? ['notepad'] : ['vi', 'nano']
  for (const name of names) {
    const file = await findProgram(name, env)
    if (file !== null) return { file, args: [] }
  }
  return { problem: 'No editor was found. Set $VISUAL or $EDITOR to yours.' }
}

function waiting(editor: ExternalEditor): ExternalEditor {
  const waits = editor.args.some(arg => arg === '--wait' || arg === '-w')
  return waits || !WINDOWED.test(basename(editor.file)) ? editor : { ...editor, args: [...editor.args, '--wait'] }
}

type ReadBack = { text: string; problem?: string; kept?: true }

async function readBack(path: string, before: string, failure: string | null): Promise<ReadBack> {
  const read = await readRegularFile(path, LIMIT)
  if (!read.ok) {
    const stays = read.reason !== 'is not there'
    const problem = `${failure ?? 'The editor closed'}, but its file ${stays ? `${path} ` : ''}${read.reason}; the draft is unchanged.`
    return stays ? { text: before, problem, kept: true } : { text: before, problem }
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
