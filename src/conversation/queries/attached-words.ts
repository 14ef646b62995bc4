/** Mentioned files in words: those sent with a prompt, and those of which only the name was sent. */
import type { AttachedFile } from '../../agent/attached-file.ts'
import type { Turn } from '../state.ts'
import { formatBytes, formatTokens } from '../../text/format.ts'

/** The contents and listings of mentioned files that were sent: the last texts before the prompt. */
export function attachedTexts({ before, mentions }: Pick<Turn, 'before' | 'mentions'>): readonly string[] {
  const count = mentions.filter(({ sent }) => sent === 'content' || sent === 'listing').length
  return before.slice(before.length - count)
}

/** The files that were sent: `src/main.ts:10-40 (~420 tokens), shot.png (34 kB)`; '' for none. Not sanitised. */
export function attachedWords(files: readonly AttachedFile[]): string {
  return files
    .filter(({ sent }) => sent !== 'name' && sent !== 'missing')
    .map(file => `${nameOf(file)} (${factOf(file)})`)
    .join(', ')
}

/** A sentence for each file of which only the name was sent, and for each path that names none. Not sanitised. */
export function unattachedWords(files: readonly AttachedFile[]): string[] {
  return files
    .filter(file => file.sent === 'name' || (file.sent === 'missing' && looksLikePath(file.path)))
    .map(({ path, sent, because = 'could not be read' }) =>
      sent === 'missing' ? `@${path} ${because}.` : `${path} ${because}. Only its name was sent.`,
    )
}

/** The words after an @ that name no file, and may be no paths: `@media is no file here`; '' for none. Not sanitised. */
export function missingWords(files: readonly AttachedFile[]): string {
  const words = files
    .filter(({ sent, path }) => sent === 'missing' && !looksLikePath(path))
    .map(({ path }) => `@${path}`)
  if (words.length === 0) return ''
  const rest = words.length > MOST_MISSING ? ` and ${words.length - MOST_MISSING} more` : ''
  return `${words.slice(0, MOST_MISSING).join(', ')}${rest} ${words.length === 1 ? 'is no file' : 'are no files'} here`
}

/** Names of missing files in one line. */
const MOST_MISSING = 3

/** Whether somebody who wrote this word after an @ surely meant a file: it has an extension, or begins or ends like a path. */
const looksLikePath = (path: string): boolean => /(?:^(?:~|\.{0,2})\/|\.[\p{L}\p{N}]{1,8}$|\/$)/u.test(path)

function nameOf({ path, lines }: AttachedFile): string {
  if (!lines) return path
  return lines.from === lines.to ? `${path}:${lines.from}` : `${path}:${lines.from}-${lines.to}`
}

function factOf({ sent, tokens = 0, bytes = 0 }: AttachedFile): string {
  if (sent === 'image') return formatBytes(bytes)
  return sent === 'listing' ? `its files, ~${formatTokens(tokens)} tokens` : `~${formatTokens(tokens)} tokens`
}
