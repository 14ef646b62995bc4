/** The settings of one run: their values, where each comes from, and changing them while the program runs. */
import { dirname } from 'node:path'
import { createListeners } from '../agent/listeners.ts'
import type { UserNotice } from '../platform/errors.ts'
import type { RuleEffect, WrittenRule } from '../permissions/rules/written-rule.ts'
import { hooksOf, type WrittenHook } from './layers.ts'
import { projectSettingsPath, readSettingsFile, writeMember } from './files.ts'
import { userSettingsPath } from './user-settings-path.ts'
import {
  noLayer,
  resolveSettings,
  rulesOf,
  type Layer,
  type Layers,
  type ResolvedSettings,
  type SettingsSource,
} from './layers.ts'
import { wholePath, type PathSetting } from './paths.ts'
import { type SettingName, type Settings } from './schema.ts'
import { openTrust, type Trust, type TrustStore } from './trust/trust.ts'
import { readVariables, type SettingsEnvironment } from './typed.ts'

export type SettingsStore = {
  /** The current values; a new object after each change. */
  values: () => Settings
  sourceOf: (name: SettingName) => SettingsSource
  /** The value of a setting that may be a path, resolved from the folder of its source. */
  pathOf: <Name extends PathSetting>(name: Name) => Settings[Name] | string
  /** The settings in the project's file that take effect only where the user trusts the project. */
  needingTrust: () => readonly SettingName[]
  /** Those settings while the user does not trust the project; empty otherwise. */
  ignored: () => readonly SettingName[]
  /** Null while the user has not been asked. */
  trust: () => Trust
  /** The value of a setting in the project's own file. */
  projectValue: <Name extends SettingName>(name: Name) => Settings[Name] | undefined
  /** Stores whether the project is trusted, for this run and later ones. */
  setTrust: (trusted: boolean) => void
  /**
   * Writes a value to the user's own file; undefined removes it. Resolves to the source of the value that is then in
   * effect, which may be a stronger one.
   *
   * @throws where the file cannot be written.
   */
  change: <Name extends SettingName>(name: Name, value: Settings[Name] | undefined) => Promise<SettingsSource>
  /** Lets count what the user's own file has now, as a change of what it had. Writes nothing. */
  takeOwn: (change: (own: Layer) => Layer) => void
  /** All hooks, with their places; also those of a project that is not trusted. */
  hooks: () => readonly WrittenHook[]
  /** All permission rules that are in effect, with their places; broken ones included. */
  rules: () => readonly WrittenRule[]
  /**
   * Adds a permission rule, or a host for the sandbox, to the user's own file.
   *
   * @throws where the file cannot be written.
   */
  addRule: (effect: RuleEffect | 'sandboxHosts', rule: string) => Promise<void>
  /**
   * Removes a permission rule from the user's own file. Resolves to false where it is not there.
   *
   * @throws where the file cannot be written.
   */
  removeRule: (effect: RuleEffect, rule: string) => Promise<boolean>
  /** The listener is called with the new and the old values after each change. */
  subscribe: (listener: (now: Settings, before: Settings) => void) => () => void
}

export type LoadOptions = {
  /** The folder with the project's file; null where project settings are off. */
  projectFolder: string | null
  stateFolder: string
  env: SettingsEnvironment
  /** The values on the command line, and the flag of each. */
  flags: { values: Partial<Settings>; names: ReadonlyMap<SettingName, string> }
  /** Formats a path for people. */
  label: (path: string) => string
  /** The folder that `~` stands for at the beginning of a path. */
  home: string
}

/** Reads the files and the variables. Never throws: mistakes are in `notices`, one line each. */
export async function loadSettings(options: LoadOptions): Promise<{ settings: SettingsStore; notices: UserNotice[] }> {
  const { projectFolder, stateFolder, env, flags, label, home } = options
  const userPath = userSettingsPath()
  const userPlace = { label: label(userPath), folder: dirname(userPath) }
  const [user, project] = await Promise.all([
    readSettingsFile(userPath, userPlace),
    projectFolder === null ? { layer: noLayer, notices: [] } : readProject(projectFolder, label),
  ])
  const variables = readVariables(env)
  const layers = {
    user: user.layer,
    project: project.layer,
    environment: { ...noLayer, values: variables.values, places: variables.names },
    flag: { ...noLayer, values: flags.values, places: flags.names },
  }
  const trust = projectFolder === null ? noTrust() : openTrust(stateFolder, projectFolder)
  const settings = createSettings(layers, trust, { file: { path: userPath, ...userPlace, stateFolder }, home })
  return { settings, notices: [...user.notices, ...project.notices, ...variables.notices.map(text => ({ text }))] }
}

function readProject(folder: string, label: LoadOptions['label']): ReturnType<typeof readSettingsFile> {
  const path = projectSettingsPath(folder)
  return readSettingsFile(path, { label: label(path), folder }, 'project')
}

/** Settings without files or variables. Changes are not saved. */
export function unsavedSettings(values: Partial<Settings> = {}): SettingsStore {
  const layers = { user: { ...noLayer, values }, project: noLayer, environment: noLayer, flag: noLayer }
  return createSettings(layers, noTrust(), { file: null, home: '' })
}

function noTrust(): TrustStore {
  let answer: Trust = null
  return {
    get: () => answer,
    set: trusted => {
      answer = trusted
    },
  }
}

type SettingsFile = { path: string; label: string; folder: string; stateFolder: string }

function createSettings(
  first: Layers,
  trustStore: TrustStore,
  { file, home }: { file: SettingsFile | null; home: string },
): SettingsStore {
  let layers = first
  /** Read when needed: few projects have a settings file. */
  let answer: { trust: Trust } | null = null
  const trust = (): Trust => (answer ??= { trust: trustStore.get() }).trust
  const isTrusted = (): boolean => trust() === true
  let resolved: ResolvedSettings = resolveSettings(layers, isTrusted)
  const { emit: notify, subscribe } = createListeners<[now: Settings, before: Settings]>()

  /** Changes the user's file, and reads it again for the new values and their lines. */
  const changeFile = async (own: SettingsFile, write: (path: string) => Promise<boolean>): Promise<boolean> => {
    const { inTurn } = await import('./in-turn.ts')
    return inTurn(own.stateFolder, own.path, async () => {
      const isChanged = await write(own.path)
      resolveAnew((await readSettingsFile(own.path, own)).layer)
      return isChanged
    })
  }

  /** `user` is what the user's own file has, if that is new. */
  function resolveAnew(user = layers.user): void {
    const before = resolved.values
    layers = { ...layers, user }
    resolved = resolveSettings(layers, isTrusted)
    notify(resolved.values, before)
  }

  return {
    values: () => resolved.values,
    sourceOf: name => resolved.sources[name],
    pathOf: name => wholePath(name, resolved.values[name], { folder: resolved.sources[name].folder, home }),
    needingTrust: () => resolved.needingTrust,
    ignored: () => (resolved.needingTrust.length > 0 && isTrusted() ? [] : resolved.needingTrust),
    trust,
    projectValue: name => layers.project.values[name],
    setTrust(trusted) {
      answer = { trust: trusted }
      trustStore.set(trusted)
      resolveAnew()
    },
    async change(name, value) {
      if (file) await changeFile(file, path => writeMember(path, name, value))
      else resolveAnew({ ...noLayer, values: { ...layers.user.values, [name]: value } })
      return resolved.sources[name]
    },
    takeOwn: change => resolveAnew(change(layers.user)),
    hooks: () => hooksOf(layers, isTrusted),
    rules: () => rulesOf(layers, isTrusted()),
    async addRule(effect, rule) {
      if (file) return void (await changeFile(file, path => writeMember(path, effect, rule, 'add')))
      const values = { ...layers.user.values, [effect]: [...(layers.user.values[effect] ?? []), rule] }
      resolveAnew({ ...layers.user, values })
    },
    async removeRule(effect, rule) {
      return file !== null && changeFile(file, path => writeMember(path, effect, rule, 'remove'))
    },
    subscribe,
  }
}
