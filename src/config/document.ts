/** Reads a settings file into values, with the line of each setting. Pure. */
import { evaluate, parse, type ObjectNode, type ValueNode } from '@humanwhocodes/momoa'
import type { Remark } from '../platform/errors.ts'
import { suggestedChoice, unknownSetting } from './suggestions.ts'
import { checkSetting, settingNames, type SettingName, type Settings } from './schema.ts'

/** A mistake in a file, or a note on it: a text for the person, without a full stop. */
export type SettingRemark = Remark & { line: number }

export type SettingsDocument = {
  values: Partial<Settings>
  lines: ReadonlyMap<SettingName, number>
  remarks: SettingRemark[]
}

/** Comments and trailing commas are allowed. Mistakes are remarked, and the rest of the file is read. */
export function readSettingsDocument(text: string): SettingsDocument {
  const clean = text.replace(/^\uFEFF/, '')
  if (clean.trim() === '') return nothing([])
  let body: ValueNode
  try {
    ;({ body } = parse(clean, { mode: 'jsonc', allowTrailingCommas: true }))
  } catch (error) {
    return nothing([syntaxRemark(error)])
  }
  if (body.type !== 'Object') return nothing([{ line: body.loc.start.line, text: 'must be an object of settings' }])
  return settingsOf(body)
}

function nothing(remarks: SettingRemark[]): SettingsDocument {
  return { values: {}, lines: new Map(), remarks }
}

function syntaxRemark(error: unknown): SettingRemark {
  // The parser's message names grammar tokens, which help less than the position.
  const place = error instanceof Error && 'line' in error && 'column' in error ? error : { line: 1, column: 1 }
  return { line: Number(place.line), text: `not valid JSON near column ${Number(place.column)}; the file is ignored` }
}

function settingsOf({ members }: ObjectNode): SettingsDocument {
  const values: Partial<Settings> = {}
  const lines = new Map<SettingName, number>()
  const remarks: SettingRemark[] = []
  for (const { name: key, value } of members) {
    const written = key.type === 'String' ? key.value : key.name
    const { line } = key.loc.start
    const name = settingNames.find(each => each === written)
    if (written === '$schema') continue
    if (name === undefined) {
      remarks.push({ line, text: unknownSetting(written) })
      continue
    }
    const checked = checkSetting(name, evaluate(value))
    if (!checked.ok) {
      remarks.push({ line, text: `${name} ${checked.reason}${suggestedChoice(name, evaluate(value))}` })
      continue
    }
    if (lines.has(name))
      remarks.push({ line, text: `${name} is set a second time here; this value is used`, isNote: true })
    Object.assign(values, checked.value)
    lines.set(name, line)
  }
  return { values, lines, remarks }
}
