/** Files as text for the agent, in a fence that no line of them can close. */
import type { MentionedLines } from '../../composer/mentions.ts'
import { fenceFor } from '../../text/fence.ts'

/** The content of a file, or some of its lines out of `all`. */
export function contentText(path: string, text: string, lines: (MentionedLines & { all: number }) | null): string {
  const part = lines === null ? '' : `, lines ${lines.from} to ${lines.to} of ${lines.all}`
  return fenced(`The content of ${named(path)}${part}, which I mention:`, text === '' ? '(the file is empty)' : text)
}

/** The paths in a folder, or only the first of them. */
export function listingText(path: string, paths: readonly string[], hasMore: boolean): string {
  const rest = hasMore ? ['(and more)'] : []
  const body = paths.length === 0 ? ['(no files)'] : [...paths, ...rest]
  return fenced(`The files in ${named(path)}, which I mention:`, body.join('\n'))
}

function fenced(opening: string, text: string): string {
  const fence = fenceFor(text)
  return `${opening}\n\n${fence}\n${text.replace(/\r?\n$/, '')}\n${fence}\n`
}

/** A name cannot end its line. */
function named(path: string): string {
  return path.replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/gu, '?')
}
