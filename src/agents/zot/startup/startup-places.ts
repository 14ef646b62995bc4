/** The folders in which zot looks for instructions and skills, and the flags that turn them off. */
import { dirname, join, resolve } from 'node:path'
import { zotHome } from '../program/home.ts'
import type { ZotOptions } from '../program/options.ts'

export type StartupPlaces = {
  /** A file that replaces zot's own system prompt; null if the command line gives one. */
  systemPrompt: string | null
  /** Folders that may have an AGENTS.md, in the order in which zot reads them. */
  instructions: readonly string[]
  /** Folders of skills. Of two skills with one name, the one in the earlier folder counts. */
  skills: readonly SkillPlace[]
  /** Flags that turn them on or off. */
  flags: { noInstructions: boolean; noSkills: boolean; withSkills: boolean }
}

/** A folder of skills. `isOfProject` means that the project's authors wrote them. */
export type SkillPlace = { folder: string; from: string; isOfProject: boolean }

export type PlacesOptions = {
  options: ZotOptions
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** zot's working folder: see `workingFolder`. */
  folder: string
}

export function startupPlaces({ options, env, platform, folder }: PlacesOptions): StartupPlaces {
  const home = (platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? ''
  const own = resolve(folder, zotHome(env, platform, home))
  const extra = options.extra ?? []
  const has = (...flags: string[]): boolean => extra.some(argument => flags.includes(argument))
  return {
    systemPrompt: options.systemPrompt || has('--system-prompt') ? null : join(own, 'SYSTEM.md'),
    instructions: unique([own, ...ancestors(folder)]),
    skills: skillFolders({ own, home, folder, env, platform }),
    flags: {
      noInstructions: options.noContextFiles === true || has('--no-context-files', '-nc'),
      noSkills: options.noSkill === true || has('--no-skill', '--no-skills'),
      withSkills: has('--with-skill', '--with-skills'),
    },
  }
}

type Roots = { own: string; home: string; folder: string; env: NodeJS.ProcessEnv; platform: NodeJS.Platform }

function skillFolders({ own, home, folder, env, platform }: Roots): SkillPlace[] {
  const extra = (env['ZOT_AGENT_SKILLS'] ?? '').split(platform === 'win32' ? ';' : ':')
  const ofHome = (name: string): string => (home === '' ? '' : join(home, name, 'skills'))
  const all = [
    ...extra.map(path => ({ folder: path === '' ? '' : resolve(folder, path), from: 'agent', isOfProject: false })),
    { folder: join(folder, '.zot', 'skills'), from: 'project', isOfProject: true },
    { folder: join(own, 'skills'), from: 'global', isOfProject: false },
    { folder: join(folder, '.claude', 'skills'), from: 'project (claude)', isOfProject: true },
    { folder: ofHome('.claude'), from: 'global (claude)', isOfProject: false },
    { folder: join(folder, '.agents', 'skills'), from: 'project (agents)', isOfProject: true },
    { folder: ofHome('.agents'), from: 'global (agents)', isOfProject: false },
  ].filter(place => place.folder !== '')
  // In the home folder the project's folders are those of the home.
  return all.filter((place, at) => all.findIndex(other => other.folder === place.folder) === at)
}

/** Lists the folder and its parents, top first. */
function ancestors(folder: string): string[] {
  const path = resolve(folder)
  const parent = dirname(path)
  return parent === path ? [path] : [...ancestors(parent), path]
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)]
