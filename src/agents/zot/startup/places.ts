/** Where zot looks for instructions and skills, and what it was told to leave alone. */
import { dirname, join, resolve } from 'node:path'
import { zotHome } from '../program/home.ts'
import type { ZotOptions } from '../program/options.ts'

export type StartupPlaces = {
  /** A file that takes the place of zot's own system prompt; null where the command line brings one. */
  systemPrompt: string | null
  /** Folders with an AGENTS.md, in the order in which zot reads them. */
  instructions: readonly string[]
  /** Folders of skills; of two skills of one name that in the earlier folder counts. */
  skills: readonly SkillPlace[]
  /** Flags that keep zot from reading them, or bid it to. */
  flags: { noInstructions: boolean; noSkills: boolean; withSkills: boolean }
}

/** `isOfProject`: who wrote the project wrote what is in it. */
export type SkillPlace = { folder: string; from: string; isOfProject: boolean }

export type PlacesOptions = {
  options: ZotOptions
  env: NodeJS.ProcessEnv
  platform: NodeJS.Platform
  /** The folder that zot works in, as it calls it itself. */
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
  const given = (env['ZOT_AGENT_SKILLS'] ?? '').split(platform === 'win32' ? ';' : ':')
  const ofHome = (name: string): string => (home === '' ? '' : join(home, name, 'skills'))
  const all = [
    ...given.map(path => ({ folder: path === '' ? '' : resolve(folder, path), from: 'agent', isOfProject: false })),
    { folder: join(folder, '.zot', 'skills'), from: 'project', isOfProject: true },
    { folder: join(own, 'skills'), from: 'global', isOfProject: false },
    { folder: join(folder, '.claude', 'skills'), from: 'project (claude)', isOfProject: true },
    { folder: ofHome('.claude'), from: 'global (claude)', isOfProject: false },
    { folder: join(folder, '.agents', 'skills'), from: 'project (agents)', isOfProject: true },
    { folder: ofHome('.agents'), from: 'global (agents)', isOfProject: false },
  ].filter(place => place.folder !== '')
  // In the home itself the project's folders are those of the home.
  return all.filter((place, at) => all.findIndex(other => other.folder === place.folder) === at)
}

/** From the top down to the folder itself. */
function ancestors(folder: string): string[] {
  const path = resolve(folder)
  const parent = dirname(path)
  return parent === path ? [path] : [...ancestors(parent), path]
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)]
