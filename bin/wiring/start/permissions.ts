/** The permissions of a start: the first mode, the rules, and the files that answers are stored in. */
import type { PermissionMode } from '../../../src/agent/permission.ts'
import type { WrittenRule } from '../../../src/permissions/rules/written-rule.ts'
import type { GitFolders } from '../../../src/permissions/decide.ts'
import { dirname, resolve } from 'node:path'
import process from 'node:process'
import { noRules, type JudgePlace, type Learn } from '../../../src/app/permissions/judge.ts'
import type { PermissionOptions } from '../../../src/app/permissions/permissions.ts'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import { openFolderPermissions } from '../../../src/config/trust/folder-permissions.ts'
import type { SettingsStore } from '../../../src/config/settings.ts'
import { startingMode, type StartingMode } from '../../../src/config/trust/starting-mode.ts'
import { headsBeside } from '../../../src/permissions/repository-parts.ts'
import { UserError, type UserNotice } from '../../../src/platform/errors.ts'
import { isOfProject, isOneForMany } from '../../../src/platform/programs.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { entriesIn } from '../../../src/platform/folders.ts'
import { hasOtherNames, isThere, realPath } from '../../../src/platform/real-path.ts'
import { statePath } from '../../../src/storage/log.ts'
import { worktreeAt } from '../../../src/worktrees/record.ts'
import { lookup } from '../../../src/text/lookup.ts'
import { agentShell } from './agent/agent-shell.ts'
import { knownRepositories } from './agent/git-repositories.ts'
import type { Remote } from './remote.ts'
import { sandboxOptions } from './sandbox.ts'

export type PermissionWiring = {
  settings: SettingsStore
  folder: string
  home: string
  demo: boolean
  /** The machine that the calls run on; null for this one. */
  remote: Remote | null
}

export type StartPermissions = PermissionOptions & { notices: readonly UserNotice[] }

/** Reads what is stored for the folder. The demo runs nothing, so it stores nothing and does not ask for a mode. */
export async function permissionOptions(wiring: PermissionWiring): Promise<StartPermissions> {
  const { settings, home, demo, remote } = wiring
  const folder = remote ? remote.key : realPath(resolve(wiring.folder))
  const { own, worktree, answersOf } = folderPlace(folder)
  const place: JudgePlace = remote
    ? { ...remote.survey, own: [], ...otherMachine(remote) }
    : { folder, home: realPath(home), own, worktree, ...thisMachine(folder) }
  const stored = demo ? null : await openFolderPermissions(statePath(), answersOf, path => folderLabel(path, home))
  const { mode, isChosen, isNow = false } = held(startingMode(settings, stored?.mode() ?? null), wiring)
  return {
    place,
    ...(remote && { lookUp: (paths: readonly string[]) => remote.paths.learn(paths, '') }),
    ...(!remote && {
      async findSandboxProblem() {
        const { sandboxProblem } = await import('../../../src/sandbox/command-boxes.ts')
        return sandboxProblem(sandboxOptions(settings), { folder, env: process.env })
      },
    }),
    start: { mode, isChosen: isChosen || demo, isNow, remember: stored ? stored.rememberMode : null },
    store: {
      rules: () => [...settings.rules(), ...(stored?.rules() ?? [])],
      outside: mode => (remote ? [] : outsideRules(settings, mode)),
      add: stored
        ? (rule, scope) => (scope === 'folder' ? stored.addRule('allow', rule) : settings.addRule('allow', rule))
        : noRules.add,
      addHost: stored && (rule => addHost(settings, rule)),
      async remove({ effect, text, source }) {
        if (source === 'user') return settings.removeRule(effect, text)
        return source === 'folder' && stored ? stored.removeRule(effect, text) : false
      },
    },
    notices: stored?.notices ?? [],
  }
}

/** The rules of `sandboxOutside`; none where commands do not run in the sandbox. */
export function outsideRules(settings: SettingsStore, mode: PermissionMode): WrittenRule[] {
  const { sandbox, sandboxOutside } = settings.values()
  if (sandbox === 'off' && mode !== 'contained') return []
  const { place } = settings.sourceOf('sandboxOutside')
  return sandboxOutside.map(text => ({ effect: 'allow', text, source: 'user', place: `sandboxOutside, ${place}` }))
}

/** @throws UserError for a mode of the command line that needs a sandbox where there is none. Elsewhere such a mode is `ask`. */
function held(start: StartingMode, { settings, remote }: PermissionWiring): StartingMode {
  if (start.mode !== 'contained' || !remote) return start
  if (start.isNow !== true) return { ...start, mode: 'ask' }
  const { place } = settings.sourceOf('permissions')
  throw new UserError(`${place} contained needs the sandbox, which works on this machine only.`, 'Use another mode.', 2)
}

/** A stronger source than the user's own file replaces all of its hosts. */
async function addHost(settings: SettingsStore, rule: string): Promise<void> {
  await settings.addRule('sandboxHosts', rule)
  if (settings.values().sandboxHosts.includes(rule)) return
  const { kind, place } = settings.sourceOf('sandboxHosts')
  throw new Error(`it was stored, but sandboxHosts of ${place || kind} counts instead`)
}

type MachineFacts = Pick<
  JudgePlace,
  | 'resolve'
  | 'list'
  | 'exists'
  | 'hasOtherNames'
  | 'git'
  | 'tracked'
  | 'isOfProject'
  | 'isOneForMany'
  | 'isOtherShell'
  | 'isSet'
> & {
  learn: Learn
}

const isNone = ({ settings, tracked }: GitFolders): boolean => settings.length + tracked.length === 0

/** The facts of this machine that a decision about a call needs. The commands of an agent get zotui's own environment. */
export function thisMachine(folder: string): MachineFacts {
  const { env } = process
  const { learn, says, tracks } = knownRepositories(folder, null)
  const shell = agentShell()
  return {
    resolve: path => realPath(path),
    list: entriesIn,
    exists: isThere,
    hasOtherNames,
    git: says,
    tracked: tracks,
    isOfProject: (name, at) => isOfProject(name, env, { folder, at }),
    isOneForMany: name => isOneForMany(name, env),
    isOtherShell: () => !shell.isTried(),
    isSet: variable => (lookup(env, variable) ?? '') !== '',
    // The system resolves paths at once.
    learn({ command }, gitFolders) {
      const learnGit = (): Promise<void> | null => {
        const folders = gitFolders()
        return isNone(folders) ? null : learn(folders)
      }
      const learned = command === undefined ? null : shell.learn()
      return learned ? learned.then(learnGit).then(() => undefined) : learnGit()
    },
  }
}

function otherMachine(remote: Remote): MachineFacts {
  const { learn, says, tracks } = knownRepositories(remote.key, remote)
  return {
    resolve: remote.paths.resolve,
    isOneForMany: () => remote.survey.hasBusybox,
    isOtherShell: () => !remote.survey.isTriedShell,
    exists: remote.paths.exists,
    hasOtherNames: remote.paths.hasOtherNames,
    git: says,
    tracked: tracks,
    async learn({ paths = [], command = '' }, gitFolders) {
      await remote.paths.learn(paths, command)
      const heads = paths.flatMap(path => headsBeside(remote.paths.resolve(path)))
      if (heads.length > 0) await remote.paths.learn(heads, '')
      // The paths decide where a line goes, and so where git reads.
      const folders = gitFolders()
      if (!isNone(folders)) await learn(folders)
    },
  }
}

/** zotui's own folders, the worktree around `folder`, and the folder whose answers apply (a worktree's project). */
export function folderPlace(folder: string): { own: string[]; worktree: string | undefined; answersOf: string } {
  const own = [dirname(userSettingsPath()), statePath()].map(path => realPath(path))
  const worktree = worktreeAt(statePath(), folder)
  return { own, worktree: worktree?.folder, answersOf: worktree?.from ?? folder }
}
