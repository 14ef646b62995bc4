/** Reads a settings file into values, with the line of each setting. Pure. */
import { getNodeValue } from 'jsonc-parser'
import { membersOf, readJsonc, type FileRemark } from './jsonc.ts'
import { checkSetting, settingNames, type SettingName, type Settings } from './schema.ts'
import { suggestedChoice, unknownSetting } from './suggestions.ts'

export type SettingsDocument = {
  values: Partial<Settings>
  lines: ReadonlyMap<SettingName, number>
  remarks: FileRemark[]
}

/** Comments and trailing commas are allowed. Mistakes are remarked, and the rest of the file is read. */
export function readSettingsDocument(text: string): SettingsDocument {
  const { root, lineOf, remarks } = readJsonc(text)
  const values: Partial<Settings> = {}
  const lines = new Map<SettingName, number>()
  if (root && root.type !== 'object') remarks.push({ line: lineOf(root), text: 'must be an object of settings' })
  for (const { name: written, key, value } of root ? membersOf(root) : []) {
    const line = lineOf(key)
    const name = settingNames.find(each => each === written)
    if (written === '$schema') continue
    if (name === undefined) {
      remarks.push({ line, text: unknownSetting(written) })
      continue
    }
    const wanted: unknown = getNodeValue(value)
    const checked = checkSetting(name, wanted)
    if (!checked.ok) {
      remarks.push({ line, text: `${name} ${checked.reason}${suggestedChoice(name, wanted)}` })
      continue
    }
    if (lines.has(name))
      remarks.push({ line, text: `${name} is set a second time here; this value is used`, isNote: true })
    Object.assign(values, checked.value)
    lines.set(name, line)
  }
  return { values, lines, remarks }
}
