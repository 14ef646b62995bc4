/** A patch of many files, as `gh` and git print it: its files, and the lines of each when they are asked for. */
import { join } from 'node:path'
import type { ChangeForm, ChangeKind, FileChange, FileDiff } from '../tools/diff/change.ts'
import type { CollectedChanges } from './collect.ts'
import { readPatch } from './patch.ts'

/** With more files the rest is counted, and not listed. */
const MOST_FILES = 2000

type PatchFile = {
  path: string
  from: string | null
  kind: ChangeKind
  form: ChangeForm
  added: number
  removed: number
  bytes: Buffer
}

/** `top` is the folder that the paths count from, `show` how they are shown. */
export function changesOfPatch(bytes: Buffer, top: string, show: (file: string) => string): CollectedChanges {
  const sections = sectionsOf(bytes)
  const parsed = sections.slice(0, MOST_FILES).map(parseSection)
  const files = parsed.filter(file => file !== null)
  const left = sections.length - MOST_FILES
  const unnamed = parsed.length - files.length
  const notes = [
    ...(left > 0 ? [`${left} more changed files are not listed.`] : []),
    ...(unnamed > 0
      ? [`${unnamed} changed ${unnamed === 1 ? 'file has a name' : 'files have names'} that cannot be a path here.`]
      : []),
  ]
  const byFile = new Map(files.map(file => [join(top, file.path), file]))
  const session = [...byFile].map(([file, { from, kind, form, added, removed }]): FileChange => {
    const isCounted = form === 'text'
    return {
      file,
      path: show(file),
      from: from === null ? null : show(join(top, from)),
      kind,
      form,
      added: isCounted ? added : null,
      removed: isCounted ? removed : null,
      isEstimate: false,
      calls: 0,
    }
  })
  return {
    list: { session: session.toSorted((a, b) => (a.path < b.path ? -1 : 1)), before: [], unsure: 0, notes },
    async diffOf({ file }): Promise<FileDiff> {
      const found = byFile.get(file)
      return found ? readPatch(found.bytes) : { hunks: [], notes: ['This file is no longer in the list.'] }
    },
  }
}

const HEAD = 'diff --git '

/** The part of each file. No line of a file begins like a head: each has a sign before it. */
function sectionsOf(bytes: Buffer): Buffer[] {
  const starts: number[] = []
  for (let at = bytes.indexOf(HEAD); at >= 0; at = bytes.indexOf(HEAD, at + 1))
    if (at === 0 || bytes[at - 1] === NEWLINE) starts.push(at)
  return starts.map((start, index) => bytes.subarray(start, starts[index + 1] ?? bytes.length))
}

const NEWLINE = 10
/** Bytes of the longest head of a file. */
const LONGEST_HEAD = 64 * 1024

/** Null if the names of the file cannot be a path in a project. */
function parseSection(bytes: Buffer): PatchFile | null {
  const start = bytes.subarray(0, LONGEST_HEAD).toString('latin1')
  const end = start.search(/\n(?:@@ |GIT binary patch|Binary files )/)
  const head = bytes.subarray(0, end < 0 ? start.length : end).toString()
  const lines = head.split('\n')
  const valueOf = (start: string): string | undefined => lines.find(line => line.startsWith(start))?.slice(start.length)
  const before = nameOf(valueOf('rename from ')) ?? sideOf(valueOf('--- '), 'a')
  const after = nameOf(valueOf('rename to ')) ?? sideOf(valueOf('+++ '), 'b')
  const path = after ?? before ?? nameInHead(lines[0] ?? '')
  if (path === null || !isPlain(path) || (before !== null && !isPlain(before))) return null
  const isRenamed = valueOf('rename from ') !== undefined
  const isNew = valueOf('new file mode ') !== undefined
  const isDeleted = valueOf('deleted file mode ') !== undefined
  const modes = head.match(/\b(?:120000|160000)\b/)?.[0]
  const rest = bytes.subarray(end < 0 ? bytes.length : end)
  const isBinary = /^\n?(?:Binary files |GIT binary patch)/.test(rest.subarray(0, 20).toString('latin1'))
  return {
    path,
    from: isRenamed ? before : null,
    kind: isRenamed ? 'renamed' : isNew ? 'new' : isDeleted ? 'deleted' : 'changed',
    form: modes === '160000' ? 'submodule' : modes === '120000' ? 'link' : isBinary ? 'binary' : 'text',
    ...countsOf(rest),
    bytes,
  }
}

function countsOf(bytes: Buffer): { added: number; removed: number } {
  const counts = { added: 0, removed: 0 }
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    const sign = bytes[at + 1]
    if (sign === 0x2b) counts.added += 1
    else if (sign === 0x2d) counts.removed += 1
  }
  return counts
}

/** A name of git, which may be in quotes. */
function nameOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const name = text.replace(/\r$/, '')
  return name.startsWith('"') ? unquoted(name) : name
}

/** The name after `--- a/` or `+++ b/`; null for no file. A tab follows a name with blanks. */
function sideOf(text: string | undefined, side: 'a' | 'b'): string | null {
  const name = nameOf(text?.replace(/\t\r?$/, ''))
  return name?.startsWith(`${side}/`) === true ? name.slice(2) : null
}

/** The name in `diff --git a/NAME b/NAME`, which is the same twice where no other line names the file. */
function nameInHead(line: string): string | null {
  const names = line.slice(HEAD.length).replace(/\r$/, '')
  const quoted = /^("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*")$/.exec(names)
  if (quoted) return unquoted(quoted[1] ?? '').replace(/^a\//, '')
  const half = (names.length - 1) / 2
  const name = names.slice(2, half)
  return names === `a/${name} b/${name}` ? name : null
}

const ESCAPES = new Map(Array.from('abtnvfr', (letter, index) => [letter, index + 7]))

/** A name in quotes as git writes it: bytes as octal numbers. */
function unquoted(text: string): string {
  const bytes: number[] = []
  const inner = Buffer.from(text.slice(1, -1))
  for (let at = 0; at < inner.length; at += 1) {
    const byte = inner[at] ?? 0
    if (byte !== 0x5c) {
      bytes.push(byte)
      continue
    }
    const octal = /^[0-7]{3}/.exec(inner.subarray(at + 1, at + 4).toString('latin1'))?.[0]
    const next = String.fromCharCode(inner[at + 1] ?? 0)
    bytes.push(octal === undefined ? (ESCAPES.get(next) ?? inner[at + 1] ?? 0) : Number.parseInt(octal, 8) & 0xff)
    at += octal === undefined ? 1 : 3
  }
  return Buffer.from(bytes).toString()
}

/** Whether a name from elsewhere stays in the project. */
function isPlain(path: string): boolean {
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(path)
  return path !== '' && !isAbsolute && !path.includes('\0') && !path.split(/[/\\]/).includes('..')
}
