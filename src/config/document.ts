/** A settings file as what it says, with the line of each setting. Pure. */
import { evaluate, parse, type ObjectNode, type ValueNode } from '@humanwhocodes/momoa'
import type { Remark } from '../platform/errors.ts'
import { suggestedChoice, unknownSetting } from './suggestions.ts'
import { checkSetting, settingNames, type SettingName, type Settings } from './schema.ts'

/** What is wrong with a file, or worth knowing: words for the person, without a stop at the end. */
export type SettingRemark = Remark & { line: number }

export type SettingsDocument = {
  values: Partial<Settings>
  lines: ReadonlyMap<SettingName, number>
  remarks: SettingRemark[]
}

/** Comments and commas at the end of a list are allowed. What is wrong is told, and the rest is read all the same. */
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
  // Its message names tokens of the grammar, which say less than the place.
  const place = error instanceof Error && 'line' in error && 'column' in error ? error : { line: 1, column: 1 }
  return { line: Number(place.line), text: `not valid JSON near column ${Number(place.column)}; nothing of it is used` }
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
      remarks.push({ line, text: `${name} stands here for the second time; this one counts`, isNote: true })
    Object.assign(values, checked.value)
    lines.set(name, line)
  }
  return { values, lines, remarks }
}
