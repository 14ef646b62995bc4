/** The user's answers for one folder: a mode and rules, in a file in the user's state folder. */
import { join } from 'node:path'
import { permissionModes, type PermissionMode } from '../../agent/permission.ts'
import { ruleEffects, type RuleEffect, type WrittenRule } from '../../permissions/rules/written-rule.ts'
import type { UserNotice } from '../../platform/errors.ts'
import { readRegularFile } from '../../platform/regular-file.ts'
import { storedFolderName } from '../../storage/folder-name.ts'
import { writeMember } from '../files.ts'

/** In bytes. */
const LARGEST = 1_000_000

export type FolderPermissions = {
  /** The mode that was chosen for the folder; null while the user has not been asked. */
  mode: () => PermissionMode | null
  /** @throws where the file cannot be written. */
  rememberMode: (mode: PermissionMode) => Promise<void>
  /** Broken ones included. */
  rules: () => readonly WrittenRule[]
  /** @throws where the file cannot be written. */
  addRule: (effect: RuleEffect, rule: string) => Promise<void>
  /** Resolves to false where the rule is not in the file. @throws where the file cannot be written. */
  removeRule: (effect: RuleEffect, rule: string) => Promise<boolean>
  /** Mistakes in the file, one line each. */
  notices: readonly UserNotice[]
}

type StoredPermissions = Pick<FolderPermissions, 'notices'> & { mode: PermissionMode | null; rules: WrittenRule[] }

/** Reads the file of a folder; `label` formats a path for people. Never throws. */
export async function openFolderPermissions(
  stateFolder: string,
  folder: string,
  label: (path: string) => string = path => path,
): Promise<FolderPermissions> {
  const path = join(stateFolder, 'permissions', `${storedFolderName(folder)}.json`)
  let content = await readContent(path, label(path))
  const change = async (write: () => Promise<boolean>): Promise<boolean> => {
    const { inTurn } = await import('../in-turn.ts')
    return inTurn(stateFolder, path, async () => {
      await writeMember(path, 'folder', folder)
      const isChanged = await write()
      content = await readContent(path, label(path))
      return isChanged
    })
  }
  return {
    mode: () => content.mode,
    rememberMode: async mode => void (await change(() => writeMember(path, 'mode', mode))),
    rules: () => content.rules,
    addRule: async (effect, rule) => void (await change(() => writeMember(path, effect, rule, 'add'))),
    removeRule: (effect, rule) => change(() => writeMember(path, effect, rule, 'remove')),
    get notices() {
      return content.notices
    },
  }
}

/** The rule of a file that cannot be read: it denies everything. */
const broken = (place: string): WrittenRule => ({ effect: 'deny', text: null, source: 'folder', place })

async function readContent(path: string, label: string): Promise<StoredPermissions> {
  const read = await readRegularFile(path, LARGEST)
  if (!read.ok && read.reason === 'is not there') return { mode: null, rules: [], notices: [] }
  if (!read.ok) return { mode: null, rules: [broken(label)], notices: [{ text: `${label} ${read.reason}` }] }
  const { membersOf, readJsonc } = await import('../document/jsonc.ts')
  const { brokenRules, readRules } = await import('../document/document.ts')
  const { root, lineOf, notices } = readJsonc(read.bytes.toString('utf8'))
  const found: StoredPermissions = {
    mode: null,
    rules: notices.map(({ line }) => broken(`${label} line ${line}`)),
    notices,
  }
  const said = [...notices]
  for (const { name, value } of root ? membersOf(root) : []) {
    if (name === 'mode') found.mode = permissionModes.find(mode => mode === value.value) ?? null
    const effect = ruleEffects.find(each => each === name)
    if (effect === undefined) continue
    const rules = readRules(effect, value, lineOf)
    found.rules.push(
      ...rules.map(({ text, line }) => ({ effect, text, source: 'folder' as const, place: `${label} line ${line}` })),
    )
    said.push(...(await brokenRules(rules, 'folder')))
  }
  return { ...found, notices: said.map(({ line, text }) => ({ text: `${label} line ${line}: ${text}` })) }
}
