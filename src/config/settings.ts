/** The settings of one run: what holds, where it comes from, and changing it while the program runs. */
import { dirname } from 'node:path'
import type { Remark } from '../platform/errors.ts'
import { projectSettingsPath, readSettingsFile, userSettingsPath, writeSetting } from './files.ts'
import { noLayer, resolveSettings, type Layers, type Resolved, type SettingsSource } from './layers.ts'
import { wholePath, type PathSetting } from './paths.ts'
import { type SettingName, type Settings } from './schema.ts'
import { openTrust, type Trust, type TrustStore } from './trust.ts'
import { readVariables, type SettingsEnvironment } from './typed.ts'

export type SettingsStore = {
  /** What holds now; a new object whenever that changed. */
  values: () => Settings
  sourceOf: (name: SettingName) => SettingsSource
  /** The value of a setting that may be a path, with the folder that a relative one counts from. */
  pathOf: <Name extends PathSetting>(name: Name) => Settings[Name] | string
  /** What of the project's file holds only where the person trusts the project. */
  needingTrust: () => readonly SettingName[]
  /** What of that does not hold now. */
  heldBack: () => readonly SettingName[]
  /** Null while the person has not been asked. */
  trust: () => Trust
  /** What the project's own file wants of a setting. */
  wantedByProject: (name: SettingName) => Settings[SettingName] | undefined
  /** Remembers whether the project is trusted, for this run and for all to come. */
  setTrust: (trusted: boolean) => void
  /**
   * Writes a value into the person's own file; undefined takes it out. Resolves to what holds then, which is another
   * value where something stronger says so.
   *
   * @throws where the file cannot be written.
   */
  change: <Name extends SettingName>(name: Name, value: Settings[Name] | undefined) => Promise<SettingsSource>
  /** Called with what holds now and what held before, after each change. */
  subscribe: (listener: (now: Settings, before: Settings) => void) => () => void
}

export type LoadOptions = {
  /** The folder that the project's file is looked for in; null where the project may say nothing. */
  projectFolder: string | null
  stateFolder: string
  env: SettingsEnvironment
  /** What stands on the command line, and the flag for each. */
  flags: { values: Partial<Settings>; names: ReadonlyMap<SettingName, string> }
  /** How a path is written for people. */
  label: (path: string) => string
  /** What `~` at the beginning of a path is. */
  home: string
}

/** Reads the files and the variables. Never throws: what there is to say of them is in `remarks`, a line each. */
export async function loadSettings(options: LoadOptions): Promise<{ settings: SettingsStore; remarks: Remark[] }> {
  const { projectFolder, stateFolder, env, flags, label, home } = options
  const userPath = userSettingsPath()
  const userPlace = { label: label(userPath), folder: dirname(userPath) }
  const [user, project] = await Promise.all([
    readSettingsFile(userPath, userPlace),
    projectFolder === null ? { layer: noLayer, remarks: [] } : readProject(projectFolder, label),
  ])
  const variables = readVariables(env)
  const layers = {
    user: user.layer,
    project: project.layer,
    environment: { ...noLayer, values: variables.values, places: variables.names },
    flag: { ...noLayer, values: flags.values, places: flags.names },
  }
  const trust = projectFolder === null ? noTrust() : openTrust(stateFolder, projectFolder)
  const settings = createSettings(layers, trust, { file: { path: userPath, ...userPlace }, home })
  return { settings, remarks: [...user.remarks, ...project.remarks, ...variables.remarks.map(text => ({ text }))] }
}

function readProject(folder: string, label: LoadOptions['label']): ReturnType<typeof readSettingsFile> {
  const path = projectSettingsPath(folder)
  return readSettingsFile(path, { label: label(path), folder })
}

/** Settings that nobody has said anything about, and that are kept nowhere. */
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

function createSettings(
  first: Layers,
  trustStore: TrustStore,
  { file, home }: { file: { path: string; label: string; folder: string } | null; home: string },
): SettingsStore {
  let layers = first
  let trust = trustStore.get()
  let resolved: Resolved = resolveSettings(layers, trust === true)
  const listeners = new Set<(now: Settings, before: Settings) => void>()

  function resolveAnew(): void {
    const before = resolved.values
    resolved = resolveSettings(layers, trust === true)
    for (const listener of listeners) listener(resolved.values, before)
  }

  return {
    values: () => resolved.values,
    sourceOf: name => resolved.sources[name],
    pathOf: name => wholePath(name, resolved.values[name], { folder: resolved.sources[name].folder, home }),
    needingTrust: () => resolved.needingTrust,
    heldBack: () => (trust === true ? [] : resolved.needingTrust),
    trust: () => trust,
    wantedByProject: name => layers.project.values[name],
    setTrust(trusted) {
      trust = trusted
      trustStore.set(trusted)
      resolveAnew()
    },
    async change(name, value) {
      if (file) {
        await writeSetting(file.path, name, value)
        // What stands there now, with its lines.
        layers = { ...layers, user: (await readSettingsFile(file.path, file)).layer }
      } else {
        layers = { ...layers, user: { ...noLayer, values: { ...layers.user.values, [name]: value } } }
      }
      resolveAnew()
      return resolved.sources[name]
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
