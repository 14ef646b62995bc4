/** Diffs as lines, from git's output or from two texts. */
import { parsePatch, structuredPatch, type StructuredPatch } from 'diff'
import type { FileContent } from './file-content.ts'
import { decoded } from './file-content.ts'
import type { ExactLines, FileDiff, Hunk } from '../tools/diff/change.ts'
import type { DiffLine } from '../text/diff-line.ts'

/** Unchanged lines around a change. */
const CONTEXT = 3
/** Bounds for comparing two texts, in milliseconds and in edits: keys wait meanwhile. */
const LIMITS = { timeout: 100, maxEditLength: 5000 }

/** Parses git's patch of one file. Its lines are the file's own bytes if git compared them so. */
export function readPatch(bytes: Buffer, by: ExactLines['by'] = 'git'): FileDiff {
  const { text, isUtf8 } = decoded(bytes)
  const patches = parsed(text)
  if (patches === null) return { hunks: [], notes: ["git's output for this file could not be read."] }
  const hunks = patches.flatMap(hunksOf)
  const notes = patches.flatMap(patchNotes)
  const mode = patches[0]?.isDelete === true ? patches[0].oldMode : undefined
  const version = hunks.length === 0 ? OBJECTS.exec(text)?.[1] : undefined
  return {
    hunks,
    notes: [...notes, ...lineEndNotes(patches), ...(isUtf8 ? [] : [NOT_UTF8])],
    ...(version !== undefined && { version }),
    // A file that became a link, or the reverse, is two patches.
    ...(patches.length === 1 && {
      exact: {
        encoding: isUtf8 ? 'utf8' : 'latin1',
        by,
        ...(mode !== undefined && { wasExecutable: mode === '100755' }),
      },
    }),
  }
}

/** The objects before and after, as git names them in the head of a patch. */
const OBJECTS = /^index ([\da-f]+\.\.[\da-f]+)/m

/** The patches of several files, by the head line of each: `diff --git a/x b/x`. */
export function splitPatches(bytes: Buffer): Map<string, Buffer> {
  const patches = new Map<string, Buffer>()
  // No line of a hunk begins so: each has a sign before it.
  for (let from = bytes.indexOf(HEAD); from >= 0;) {
    const next = bytes.indexOf(`\n${HEAD}`, from)
    const end = next < 0 ? bytes.length : next + 1
    const line = bytes.subarray(from, bytes.indexOf('\n', from)).toString()
    // A file that became a link has two: one that removes it, and one that adds it.
    const before = patches.get(line)
    const patch = bytes.subarray(from, end)
    patches.set(line, before ? Buffer.concat([before, patch]) : patch)
    from = next < 0 ? -1 : end
  }
  return patches
}

const HEAD = 'diff --git '

/** The head line of a patch, if the names need no quotes in it. */
export function patchHead(before: string, after: string): string {
  return `${HEAD}a/${before} b/${after}`
}

const NOT_UTF8 = 'This file is not UTF-8: its bytes are shown as Latin-1.'

function parsed(text: string): StructuredPatch[] | null {
  try {
    return parsePatch(text)
  } catch {
    // An unknown format, which git itself does not write.
    return null
  }
}

function patchNotes({ isBinary, isRename, oldMode, newMode, isCreate, isDelete, hunks }: StructuredPatch): string[] {
  const notes: string[] = []
  if (isBinary) notes.push('This file is binary, or git is configured not to compare it.')
  if (oldMode !== undefined && newMode !== undefined && !isCreate && !isDelete) {
    notes.push(`Mode changed from ${oldMode} to ${newMode}.`)
  }
  if (isRename && hunks.length === 0) notes.push('Only the name changed.')
  if ((isCreate || isDelete) && hunks.length === 0 && !isBinary) notes.push('The file is empty.')
  return notes
}

/** Notes about line endings, which are invisible otherwise. */
function lineEndNotes(patches: readonly StructuredPatch[]): string[] {
  const before = { crlf: 0, lf: 0, unended: 0 }
  const after = { crlf: 0, lf: 0, unended: 0 }
  for (const { lines } of patches.flatMap(({ hunks }) => hunks)) {
    for (const [at, line] of lines.entries()) {
      const side = line.startsWith('-') ? before : line.startsWith('+') ? after : null
      if (!side) continue
      side[line.endsWith('\r') ? 'crlf' : 'lf'] += 1
      if (lines[at + 1]?.startsWith('\\')) side.unended += 1
    }
  }
  const notes: string[] = []
  const ends = ({ crlf, lf }: typeof before): string => (lf === 0 ? 'CRLF' : crlf === 0 ? 'LF' : '')
  const [was, is] = [ends(before), ends(after)]
  const isBoth = before.crlf + before.lf > 0 && after.crlf + after.lf > 0
  if (isBoth && was !== '' && is !== '' && was !== is) notes.push(`Line endings changed from ${was} to ${is}.`)
  if (before.unended !== after.unended) {
    notes.push(
      after.unended > 0
        ? 'The newline at the end of the file was removed.'
        : 'A newline was added at the end of the file.',
    )
  }
  return notes
}

function hunksOf({ hunks }: StructuredPatch): Hunk[] {
  return hunks.map(({ oldStart, newStart, lines }) => {
    let [before, after] = [oldStart, newStart]
    const numbered: DiffLine[] = []
    for (const [at, line] of lines.entries()) {
      const sign = line[0] ?? ' '
      if (sign !== ' ' && sign !== '-' && sign !== '+') continue
      const hasReturn = line.endsWith('\r')
      const text = hasReturn ? line.slice(1, -1) : line.slice(1)
      const end = lines[at + 1]?.startsWith('\\') === true ? (hasReturn ? '\r' : '') : hasReturn ? '\r\n' : null
      const place = { before: sign === '+' ? null : before, after: sign === '-' ? null : after }
      numbered.push({ sign, text, ...place, ...(end !== null && { end }) })
      if (sign !== '+') before += 1
      if (sign !== '-') after += 1
    }
    return { title: '', lines: numbered }
  })
}

export function compareContents(before: FileContent, after: FileContent): FileDiff {
  const unread = [before, after].find(content => content.kind === 'unread')
  if (unread?.kind === 'unread') return { hunks: [], notes: [`It ${unread.why}.`] }
  if (before.kind === 'binary' || after.kind === 'binary') {
    const version = [before, after].map(content => (content.kind === 'binary' ? content.hash : '')).join('..')
    return { hunks: [], notes: ['The file is binary.'], version }
  }
  const notes: string[] = []
  if (after.kind === 'link') notes.push('This is a symbolic link; its target is shown.')
  if ([before, after].some(content => content.kind === 'text' && !content.isUtf8)) notes.push(NOT_UTF8)
  const [old, fresh] = [textOf(before), textOf(after)]
  if (old === '' && fresh === '') notes.push('The file is empty.')
  const patches = [patchOf(old, fresh)]
  const exact = exactOf(before, after)
  return {
    hunks: patches.flatMap(hunksOf),
    notes: [...notes, ...lineEndNotes(patches)],
    ...(exact && { exact }),
  }
}

/** Null if the lines of both sides are not in one encoding, or are those of a link. */
function exactOf(before: FileContent, after: FileContent): ExactLines | null {
  const texts = [before, after].flatMap(content => (content.kind === 'text' ? [content] : []))
  if (texts.some(({ isUtf8 }) => isUtf8 !== texts[0]?.isUtf8)) return null
  if (before.kind === 'link' || after.kind === 'link') return null
  const encoding = texts[0]?.isUtf8 === false ? 'latin1' : 'utf8'
  const size = after.kind === 'text' ? Buffer.byteLength(after.text, encoding) : undefined
  return { encoding, by: 'bytes', ...(size !== undefined && { size }) }
}

function patchOf(before: string, after: string): StructuredPatch {
  const found = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT, ...LIMITS })
  if (found) return found
  // The texts are too different to be compared: all lines are replaced.
  const [gone, come] = [linesOf(before, '-'), linesOf(after, '+')]
  const hunk = { oldStart: 1, newStart: 1, oldLines: gone.length, newLines: come.length, lines: [...gone, ...come] }
  return { oldFileName: '', newFileName: '', oldHeader: undefined, newHeader: undefined, hunks: [hunk] }
}

function linesOf(text: string, sign: '-' | '+'): string[] {
  if (text === '') return []
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => sign + line)
  return text.endsWith('\n') ? lines : [...lines, '\\ No newline at end of file']
}

function textOf(content: FileContent): string {
  return content.kind === 'text' || content.kind === 'link' ? content.text : ''
}
