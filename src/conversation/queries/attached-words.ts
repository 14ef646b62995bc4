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
    .filter(({ sent }) => sent !== 'name')
    .map(file => `${nameOf(file)} (${factOf(file)})`)
    .join(', ')
}

/** A sentence for each file of which only the name was sent. Not sanitised. */
export function unattachedWords(files: readonly AttachedFile[]): string[] {
  return files
    .filter(({ sent }) => sent === 'name')
    .map(({ path, because = 'could not be read' }) => `${path} ${because}. Only its name was sent.`)
}

function nameOf({ path, lines }: AttachedFile): string {
  if (!lines) return path
  return lines.from === lines.to ? `${path}:${lines.from}` : `${path}:${lines.from}-${lines.to}`
}

function factOf({ sent, tokens = 0, bytes = 0 }: AttachedFile): string {
  if (sent === 'image') return formatBytes(bytes)
  return sent === 'listing' ? `its files, ~${formatTokens(tokens)} tokens` : `~${formatTokens(tokens)} tokens`
}
