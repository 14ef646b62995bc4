/** Adds a note of the user to the project's AGENTS.md. */
import { dirname, join } from 'node:path'
import { here, type ProjectFiles } from '../../platform/project-files.ts'
import { messageOf } from '../../platform/errors.ts'
import { folderLabel } from '../../platform/project.ts'
import { isWithin } from '../../platform/within.ts'
import { noteToAppend } from '../../text/note-line.ts'
import { sentence } from '../../text/sentence.ts'
import { expand } from '../../state/composer/chips.ts'
import type { AppContext } from '../context/context.ts'

const NOTES_FILE = 'AGENTS.md'

/** Bytes of the largest file to which notes are added. */
const LARGEST = 1_000_000

/** The text of a note that was typed as `# always run the tests`, on one line; '' for none. */
export function noteOf({ editor, chips }: ReturnType<AppContext['state']>): string {
  return expand(editor.text.slice(1), chips).text.replaceAll(/\s+/gu, ' ').trim()
}

/** Adds the note, says where, and offers to let the agent read it. Never rejects. */
export async function addNote(
  { host, backend, addProgramNotice, ownWrites }: AppContext,
  note: string,
  offerReading: (file: string) => boolean,
): Promise<void> {
  if (!host) return addProgramNotice('warn', 'There is no project folder for a note.')
  const files = host.remote?.files ?? here
  try {
    const { file, top } = await notesFile(host.folder, files)
    const path = folderLabel(file, host.home)
    const writing = (): Promise<string | null> => append(file, top, note, files)
    const isNoted = host.remote === undefined && ownWrites !== undefined
    const problem = await (isNoted ? ownWrites.during('note', [file], writing) : writing())
    const kept = 'The note is in your prompt history.'
    if (problem !== null) return addProgramNotice('error', `The note was not added: ${path} ${problem}.`, kept)
    const later = `${backend.name} reads it when it starts again: /restart.`
    addProgramNotice('success', `Added to ${path}: ${note}`, offerReading(NOTES_FILE) ? undefined : later)
  } catch (error) {
    addProgramNotice(
      'error',
      `The note was not added: ${sentence(messageOf(error))}`,
      'The note is in your prompt history.',
    )
  }
}

/**
 * The nearest AGENTS.md from the folder up to the top of its repository, or a new one at that top. Outside of a
 * repository only the folder itself counts. `top` is the project's folder.
 */
export async function notesFile(folder: string, files: ProjectFiles): Promise<{ file: string; top: string }> {
  const own = join(folder, NOTES_FILE)
  let found: string | null = null
  for (let current = folder; ; current = dirname(current)) {
    const file = join(current, NOTES_FILE)
    if (found === null && (await files.stats(file)) !== null) found = file
    if ((await files.stats(join(current, '.git'))) !== null) return { file: found ?? file, top: current }
    if (dirname(current) === current) return { file: own, top: folder }
  }
}

/** Returns a problem that completes a sentence beginning with the file; null for none. */
async function append(file: string, top: string, note: string, files: ProjectFiles): Promise<string | null> {
  const stats = await files.stats(file)
  // A link without a target would be replaced by a file.
  if (stats === null && (await files.linkTarget(file)) !== null) return 'is a link to a file that does not exist'
  const path = stats === null ? join(await files.realPath(dirname(file)), NOTES_FILE) : await files.realPath(file)
  if (stats !== null && !isWithin(await files.realPath(top), path)) return 'is a link to a file outside the project'
  const read = stats === null ? { ok: true as const, bytes: Buffer.alloc(0) } : await files.readFile(path, LARGEST)
  if (!read.ok) return read.reason
  // Latin-1 keeps all earlier bytes as they are.
  const added = noteToAppend(read.bytes.toString('latin1'), note)
  await files.replaceFile(path, Buffer.concat([read.bytes, Buffer.from(added)]))
  return null
}
