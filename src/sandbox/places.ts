/** Looks at this machine for what a box hides: the places in which people and programs keep keys, passwords and conversations. */
import { statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import envPaths from 'env-paths'
import { realPath } from '../platform/real-path.ts'
import { projectFolders } from '../platform/programs.ts'
import { holdsOwn, type ReadPolicy } from './read-policy.ts'

/** In the home folder. */
const secret = (
  '.ssh .gnupg .aws .azure .kube .docker .oci .config/gcloud .config/doctl .config/gh .config/glab-cli .config/hub .config/op .config/rclone ' +
  '.config/containers .config/git/credentials .config/github-copilot .netrc .npmrc .pypirc .yarnrc.yml .pgpass .my.cnf .git-credentials ' +
  '.vault-token .boto .s3cfg .terraform.d .terraformrc .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml ' +
  '.gradle/gradle.properties .composer/auth.json .databricks .snowflake .snowsql .fly .heroku .password-store .1password .local/share/keyrings ' +
  '.local/share/kwalletd .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge ' +
  '.config/Signal .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .local/share/fish ' +
  '.claude .claude.json .codex .gemini .copilot .cline .vibe .zot .local/share/zot .local/state/zot .config/zot .rkat ' +
  '.local/share/opencode .config/opencode'
).split(' ')

/** What NixOS keeps in /run: programs and the certificates of authorities. */
const systemRun = ['/run/current-system', '/run/wrappers', '/run/opengl-driver']

/** `folder` is that of the project. */
export function readPolicy(folder: string, env: NodeJS.ProcessEnv): ReadPolicy {
  const home = env['HOME'] ?? ''
  const homes = isAbsolute(home) ? [home] : []
  const { config, data, log } = envPaths('zotui', { suffix: '' })
  const closed = [...homes.flatMap(each => secret.map(name => join(each, name))), config, data, log]
  const secrets = new Set(closed.map(path => realPath(path)))
  const programs = (env['PATH'] ?? '').split(delimiter).filter(path => isAbsolute(path))
  // A folder of programs must not show all temporary files, or the keys beside them.
  const ofPrograms = programs.map(path => realPath(path)).filter(path => !secrets.has(path) && !holdsOwn(path))
  const seen = [...projectFolders(env, folder), ...homes, ...ofPrograms].map(path => realPath(path))
  return {
    folder: realPath(folder),
    // Those of the system are links, by which programs name them.
    seen: [...new Set([...seen, ...systemRun])].filter(path => kindOf(path) === 'folder'),
    closed: [...secrets].flatMap(path => {
      const kind = path === '/' ? null : kindOf(path)
      return kind === null ? [] : [{ path, isFolder: kind === 'folder' }]
    }),
  }
}

function kindOf(path: string): 'folder' | 'other' | null {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other'
  } catch {
    // It does not exist, or nobody of us may look at it.
    return null
  }
}
