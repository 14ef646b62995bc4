/** The two settings files: their paths, reading both, and writing to the user's own. */
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import envPaths from 'env-paths'
import type { ParseError } from 'jsonc-parser'
import type { Remark } from '../platform/errors.ts'
import { readRegularFile } from '../platform/regular-file.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { noLayer, type Layer } from './layers.ts'
import type { SettingName, Settings } from './schema.ts'

/** In bytes. A larger file is not written by hand. */
const LARGEST = 1_000_000

/** The path of the user's own file. */
export function userSettingsPath(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'config.json')
}

export function projectSettingsPath(projectFolder: string): string {
  return join(projectFolder, '.zotui', 'config.json')
}

/**
 * Reads a settings file. Remarks call it `label`, and its relative paths start from `folder`. Never throws: mistakes are
 * remarked.
 */
export async function readSettingsFile(
  path: string,
  { label, folder }: { label: string; folder: string },
): Promise<{ layer: Layer; remarks: Remark[] }> {
  const read = await readRegularFile(path, LARGEST)
  if (!read.ok)
    return { layer: noLayer, remarks: read.reason === 'is not there' ? [] : [{ text: `${label} ${read.reason}` }] }
  // Most people have no such file, so the parser is loaded only when needed.
  const { readSettingsDocument } = await import('./document.ts')
  const { values, lines, remarks } = readSettingsDocument(read.bytes.toString('utf8'))
  return {
    layer: { values, places: new Map([...lines].map(([name, line]) => [name, `${label} line ${line}`])), folder },
    remarks: remarks.map(({ line, text, isNote }) => ({ text: `${label} line ${line}: ${text}`, isNote })),
  }
}

/**
 * Writes one value to the file, or removes it where it is undefined. Everything else in the file stays as it is, comments
 * included. A reader finds the old file or the new one, never a part.
 *
 * @throws where the file exists and cannot be read, is not JSON, or cannot be written.
 */
export async function writeSetting<Name extends SettingName>(
  path: string,
  name: Name,
  value: Settings[Name] | undefined,
): Promise<void> {
  const { applyEdits, modify, parse } = await import('jsonc-parser')
  const read = await readRegularFile(path, LARGEST)
  if (!read.ok && read.reason !== 'is not there') throw new Error(`it ${read.reason}`)
  const before = read.ok ? read.bytes.toString('utf8').replace(/^\uFEFF/, '') : ''
  const mistakes: ParseError[] = []
  const content: unknown = parse(before || '{}', mistakes, { allowTrailingComma: true })
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content)
  if (mistakes.length > 0 || !isObject) throw new Error('it is not a JSON object')
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const after = applyEdits(before, modify(before, [name], value, { formattingOptions }))
  // The file may be a link to where the user keeps all settings.
  const target = await realpath(path).catch(() => path)
  replaceFile(target, after.endsWith('\n') ? after : `${after}\n`)
}
