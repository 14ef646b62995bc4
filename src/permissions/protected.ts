/**
 * Files that affect what runs later or which calls need permission. Writing them needs the user's answer even where edits are
 * allowed.
 */
import type { Place } from './policy.ts'
import { pathInside } from './paths.ts'
import { repositoryPart } from './repository-parts.ts'

/** Folders with such files. */
const folders = new Set(
  '.git .hg .svn .githooks .husky .vscode .idea .devcontainer .zot .zotui .claude .cursor .codex .cargo .direnv .ssh .gnupg'.split(
    ' ',
  ),
)

const files = new Set(
  [
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc',
    '.inputrc .envrc .env.local.sh .gitconfig .gitmodules .gitattributes .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .netrc',
    '.mcp.json .ripgreprc .tool-versions .mise.toml mise.toml .pre-commit-config.yaml .vimrc .exrc .nvim.lua .gdbinit .lldbinit',
    '.pythonrc .pypirc .wgetrc .curlrc .condarc .bazelrc .tmux.conf .lesskey .pam_environment .xprofile .xinitrc',
  ]
    .join(' ')
    .split(' '),
)

/**
 * The reason why a write to this path needs an answer even in mode `edits`; it completes a sentence that begins with the path.
 * Null if it needs none.
 */
export function protection(path: string, place: Pick<Place, 'own' | 'worktree' | 'exists'>): string | null {
  const { own, worktree } = place
  const isProjects = worktree !== undefined && pathInside(worktree, path) !== null
  if (!isProjects && own.some(folder => pathInside(folder, path) !== null)) return "is one of zotui's own files"
  const part = protectedPart(path)
  if (part !== null) return `is protected: ${part} can decide what runs later`
  const completed = repositoryPart(path, place)
  return (
    completed && `is protected: it can make a git repository of ${completed.folder || '/'}, whose settings run programs`
  )
}

/** The part of the path that makes it protected. Case is ignored, as some file systems do. */
export function protectedPart(path: string): string | null {
  const parts = path.split('/')
  const at = parts.findIndex((part, index) => {
    // Windows drops dots and spaces at the end of a name.
    const name = part.toLowerCase().replace(/[. ]+$/, '')
    // The guard of a session keeps its pipes and its script there.
    return folders.has(name) || name.startsWith('zotui-guard-') || (index === parts.length - 1 && files.has(name))
  })
  return parts[at] ?? null
}
