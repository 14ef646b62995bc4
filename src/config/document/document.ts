/** Reads a settings file into values, with the line of each setting. Pure. */
import { getNodeValue, type Node as JsoncNode } from 'jsonc-parser'
import { ruleEffects, type RuleEffect, type RuleSource } from '../../permissions/rules/written-rule.ts'
import { brokenHooks } from '../hooks.ts'
import { membersOf, readJsonc, type FileNotice } from './jsonc.ts'
import { checkSetting, settingNames, type SettingName, type Settings } from '../schema.ts'
import { suggestedChoice, unknownSetting } from './suggestions.ts'

/** A permission rule and its line. */
export type WrittenLine = { effect: RuleEffect; text: unknown; line: number }

export type SettingsDocument = {
  values: Partial<Settings>
  lines: ReadonlyMap<SettingName, number>
  /** The permission rules, broken ones included. A file that is not valid has a broken one: what it denies is not known. */
  rules: readonly WrittenLine[]
  notices: FileNotice[]
}

/** Comments and trailing commas are allowed. Mistakes are remarked, and the rest of the file is read. */
export function readSettingsDocument(text: string): SettingsDocument {
  const { root, lineOf, notices } = readJsonc(text)
  const values: Partial<Settings> = {}
  const lines = new Map<SettingName, number>()
  if (root && root.type !== 'object') notices.push({ line: lineOf(root), text: 'must be an object of settings' })
  const rules = notices.map(({ line }): WrittenLine => ({ effect: 'deny', text: null, line }))
  for (const { name: written, key, value } of root ? membersOf(root) : []) {
    const line = lineOf(key)
    const name = settingNames.find(each => each === written)
    if (written === '$schema') continue
    if (name === undefined) {
      notices.push({ line, text: unknownSetting(written) })
      continue
    }
    const effect = ruleEffects.find(each => each === name)
    if (effect !== undefined) {
      const written = readRules(effect, value, lineOf)
      rules.push(...written)
      Object.assign(values, {
        [effect]: [
          ...(values[effect] ?? []),
          ...written.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
        ],
      })
      lines.set(effect, lines.get(effect) ?? line)
      continue
    }
    const content: unknown = getNodeValue(value)
    const checked = checkSetting(name, content)
    if (!checked.ok) {
      const effect = name === 'hooks' ? '; until you fix it, you are asked about every call' : ''
      notices.push({ line, text: `${name} ${checked.reason}${suggestedChoice(name, content)}${effect}` })
      if (name !== 'hooks') continue
      values.hooks = brokenHooks
      lines.set(name, line)
      continue
    }
    if (lines.has(name))
      notices.push({ line, text: `${name} is set a second time here; this value is used`, isNote: true })
    Object.assign(values, checked.value)
    lines.set(name, line)
  }
  return { values, lines, rules, notices }
}

/** Reads a list of rules. A value that is not a list counts as one broken rule. */
export function readRules(effect: RuleEffect, list: JsoncNode, lineOf: (node: JsoncNode) => number): WrittenLine[] {
  if (list.type !== 'array') return [{ effect, text: null, line: lineOf(list) }]
  return (list.children ?? []).map(node => ({ effect, text: getNodeValue(node) as unknown, line: lineOf(node) }))
}

/** Names the rules that cannot be read. The parser of commands is loaded only where there are rules. */
export async function brokenRules(rules: readonly WrittenLine[], source: RuleSource): Promise<FileNotice[]> {
  if (rules.length === 0) return []
  const { parseRule } = await import('../../permissions/rules/rule.ts')
  return rules.flatMap(({ effect, text, line }) => {
    const { broken } = parseRule({ effect, text, source, place: '' })
    const words = `the ${effect} rule ${shown(text)} cannot be read, so zotui asks: ${broken}`
    return broken === null ? [] : [{ line, text: words }]
  })
}

/** Characters of a rule that a message shows. */
const SHOWN = 60

/** A rule as its file has it, its beginning if it is long. */
function shown(text: unknown): string {
  const written = JSON.stringify(text)
  return written.length > SHOWN ? `${written.slice(0, SHOWN)}...` : written
}
