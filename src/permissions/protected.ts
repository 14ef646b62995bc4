/**
 * Files that affect what runs later or which calls need permission. Writing them needs the user's answer even where edits are
 * allowed. A name that begins with a dot is such a file unless it is on the list of harmless ones: shells, editors, agents and tools
 * of every kind keep there what they run.
 */
import type { Place } from './policy.ts'
import { pathInside, rootOf } from './paths.ts'
import { plainName } from './plain-name.ts'
import { repositoryPart } from './repository-parts.ts'
import { foldedName } from '../text/patterns/folded-name.ts'
import { wordSet } from '../text/word-list.ts'

/** Files and folders with a dot that nothing runs, and nothing loads code by. */
const harmless = wordSet(`
  .gitignore .gitkeep .keep .ignore .rgignore .dockerignore .npmignore .eslintignore .prettierignore .stylelintignore .markdownlintignore
  .vscodeignore .helmignore .gcloudignore .git-blame-ignore-revs .mailmap .editorconfig .clang-format .rustfmt.toml .nojekyll .well-known
  .env.example .env.sample .env.template .env.dist`)

/** Folders that are protected also where the session's own folder is in one. */
const always = wordSet('.git .hg .svn .jj .githooks .husky .zot .zotui .rkat .ssh .gnupg')

/** Folders of the home folder that a login or a shell looks into, even where the session works in them. */
const ofLogin = wordSet('.config bin')
/** Others that a desktop looks into. */
const ofDesktop = wordSet('library appdata')

/** Files without a dot that agents, editors, shells or the hooks of git read. */
const named =
  /^(?:(?:lefthook|lefthook-local|lint-staged\.config|simple-git-hooks|husky\.config|commitlint\.config|opencode|crush|mcp|mise|mise\.local)\.(?:[cm]?[jt]s|json[c5]?|ya?ml|toml)|.*\.(?:desktop|code-workspace|sublime-project))$/

/** The facts about a place that protect a path. */
type ProtectedPlace = Pick<Place, 'folder' | 'more' | 'home' | 'own' | 'worktree' | 'exists' | 'hasOtherNames'>

/**
 * The reason why a write to this path needs an answer even in mode `edits`; it completes a sentence that begins with the path.
 * Null if it needs none.
 */
export function protection(path: string, place: ProtectedPlace): string | null {
  if (isOwn(path, place)) return "is one of zotui's own files"
  const [part] = protectedParts(path, place)
  if (part !== undefined) return `is protected: ${part} can decide what runs later`
  const completed = repositoryPart(path, place)
  if (completed)
    return `is protected: it can make a git repository of ${completed.folder || '/'}, whose settings run programs`
  return place.hasOtherNames?.(path) ? 'has another name elsewhere (a hard link), and the edit changes that too' : null
}

function isOwn(path: string, { own, worktree }: ProtectedPlace): boolean {
  const isProjects = worktree !== undefined && pathInside(worktree, path) !== null
  return !isProjects && own.some(folder => insideFolded(folder, path) !== null)
}

/** The names in the path that a rule must have to cover it; none for a path that nothing protects. */
export function namesToAllow(path: string, place: ProtectedPlace): readonly string[] {
  const parts = protectedParts(path, place)
  return parts.length > 0 || protection(path, place) === null ? parts : path.split('/').slice(-1)
}

/**
 * The parts of the path that make it protected. All spellings of a name count that some file system takes for the same. Names above
 * the session's folder, and above those that the user has opened, are what the user has chosen.
 */
function protectedParts(path: string, place: ProtectedPlace): string[] {
  const parts = path.split('/')
  const root = rootOf(place, path)
  const start = root === null ? 0 : depthOf(root)
  const isInHome = (insideFolded(place.home, path) ?? '') !== ''
  return parts.filter((part, at) => {
    const name = plainName(part)
    // The guard of a session keeps its pipes and its script there.
    if (always.has(name) || name.startsWith('zotui-guard-')) return true
    const isTop = isInHome && at === depthOf(place.home)
    if (isTop && (ofLogin.has(name) || (name === '.local' && plainName(parts[at + 1] ?? '') === 'bin'))) return true
    if (at < start) return false
    if (isTop && ofDesktop.has(name)) return true
    return isProtectedFolder(name) || (at === parts.length - 1 && named.test(name))
  })
}

/** Windows gives short names such as GIT~1 to longer ones. */
const isProtectedFolder = (name: string): boolean =>
  name.startsWith('.') ? !harmless.has(name) : /^[^.]{1,6}~\d/.test(name)

/** No dot at its beginning, and nothing that a file system takes for something else. */
const inOneSpelling = /^\w[\w-]*(?:\.[\w-]+)*$/

/** Whether a file or a folder of this name is protected wherever it lies in the session's folder. */
export function isProtectedName(part: string): boolean {
  // Most names are such, and are told in a fraction of the time.
  if (inOneSpelling.test(part)) return named.test(part.toLowerCase())
  const name = plainName(part)
  return always.has(name) || isProtectedFolder(name) || named.test(name)
}

/** The number of parts of an absolute path, with the empty one before the first slash. */
const depthOf = (folder: string): number => (folder === '/' ? 1 : folder.split('/').length)

function insideFolded(folder: string, path: string): string | null {
  return pathInside(foldedName(folder), foldedName(path))
}
