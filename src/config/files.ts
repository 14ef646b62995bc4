/** The two settings files: the path of the project's, reading both, and writing to the user's own. */
import { isObject } from '../text/json.ts'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParseError } from 'jsonc-parser'
import { MOST_PROJECT_RULES } from '../permissions/rules/written-rule.ts'
import type { UserNotice } from '../platform/errors.ts'
import { isThere, readRegularFile } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { noLayer, type Layer } from './layers.ts'
import { lookup } from '../text/lookup.ts'
import { isYours } from './trust/untrusted.ts'

/** In bytes. A larger file is not written by hand. */
export const LARGEST_SETTINGS = 1_000_000

const TOO_MANY = `a project has at most ${MOST_PROJECT_RULES} rules; those from here on are not read`

export function projectSettingsPath(projectFolder: string): string {
  return join(projectFolder, '.zotui', 'config.json')
}

/**
 * Reads a settings file. Notices call it `label`, and its relative paths start from `folder`. Never throws: mistakes are
 * remarked.
 */
export async function readSettingsFile(
  path: string,
  { label, folder }: { label: string; folder: string },
  source: 'user' | 'project' = 'user',
): Promise<{ layer: Layer; notices: UserNotice[] }> {
  // Most people have no such file, and this check takes a tenth of the time of a read.
  if (!isThere(path)) return { layer: noLayer, notices: [] }
  const read = await readRegularFile(path, LARGEST_SETTINGS)
  if (!read.ok && read.reason === 'is not there') return { layer: noLayer, notices: [] }
  if (!read.ok) {
    // Its deny rules are unknown, so every call is asked about.
    const rules = [{ effect: 'deny' as const, text: null, place: label }]
    return { layer: { ...noLayer, rules }, notices: [{ text: `${label} ${read.reason}` }] }
  }
  // Most people have no such file, so the parser is loaded only when needed.
  const { brokenRules, readSettingsDocument } = await import('./document/document.ts')
  const { values, lines, rules: all, notices } = readSettingsDocument(read.bytes.toString('utf8'))
  const rules = all.slice(0, source === 'project' ? MOST_PROJECT_RULES : undefined)
  const unread = all[rules.length]
  // A file that is not valid was remarked already.
  const mistakes = await brokenRules(lines.size > 0 ? rules : [], source)
  if (unread) mistakes.push({ line: unread.line, text: `${TOO_MANY}, so zotui asks about every call` })
  const foreign = source === 'project' ? [...lines].filter(([name]) => isYours(name)) : []
  mistakes.push(...foreign.map(([name, line]) => ({ line, text: `${name} counts only in your own settings` })))
  return {
    layer: {
      values,
      places: new Map([...lines].map(([name, line]) => [name, `${label} line ${line}`])),
      folder,
      rules: [
        ...rules.map(({ effect, text, line }) => ({ effect, text, place: `${label} line ${line}` })),
        ...(unread
          ? [{ effect: 'deny' as const, text: '', broken: TOO_MANY, place: `${label} line ${unread.line}` }]
          : []),
      ],
    },
    notices: [...notices, ...mistakes].map(({ line, text, isNote }) => ({
      text: `${label} line ${line}: ${text}`,
      isNote,
    })),
  }
}

/**
 * Writes one value to the file, or removes it where it is undefined; or adds the value to the end of the list there, if the
 * list has it not, or removes it from there. Everything else in the file stays as it is, comments included. A reader finds
 * the old file or the new one, never a part. Resolves to false if nothing was to be written.
 *
 * @throws where the file exists and cannot be read, is not JSON, or cannot be written.
 */
export async function writeMember(
  path: string,
  name: string,
  value: unknown,
  how: 'set' | 'add' | 'remove' = 'set',
): Promise<boolean> {
  const { applyEdits, modify, parse } = await import('jsonc-parser')
  const { withoutElements } = await import('./document/jsonc.ts')
  const read = await readRegularFile(path, LARGEST_SETTINGS)
  if (!read.ok && read.reason !== 'is not there') throw new Error(`it ${read.reason}`)
  const before = read.ok ? read.bytes.toString('utf8').replace(/^\uFEFF/, '') : ''
  const mistakes: ParseError[] = []
  const content: unknown = parse(before || '{}', mistakes, { allowTrailingComma: true })
  if (mistakes.length > 0 || !isObject(content)) throw new Error('it is not a JSON object')
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const old = lookup(content, name)
  const list: readonly unknown[] | null = how !== 'set' && Array.isArray(old) ? old : null
  if (list ? list.includes(value) === (how === 'add') : how === 'remove') return false
  const edits = list
    ? modify(before, [name, list.length], value, { formattingOptions, isArrayInsertion: true })
    : modify(before, [name], how === 'add' ? [value] : value, { formattingOptions })
  const after = how === 'remove' ? withoutElements(before, name, value) : applyEdits(before, edits)
  if (after === before) return false
  // The file may be a link to where the user keeps all settings.
  const target = await realpath(path).catch(() => path)
  replaceFile(target, after.endsWith('\n') ? after : `${after}\n`)
  return true
}
