/** The places in which people and programs keep keys, passwords and private conversations. */
import { delimiter, isAbsolute, join } from 'node:path'
import { lookup } from '../text/lookup.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const ofHome = words(`
  .ssh .gnupg .aws .azure .kube .docker .oci .netrc .npmrc .pypirc .yarnrc.yml .pgpass .my.cnf .git-credentials .vault-token .boto .s3cfg
  .terraform.d .terraformrc .gem/credentials .m2/settings.xml .gradle/gradle.properties .composer/auth.json .databricks .snowflake .snowsql
  .fly .heroku .password-store .1password .cache/huggingface .mozilla .thunderbird snap/firefox snap/chromium snap/thunderbird .var/app
  .bash_history .zsh_history .histfile .python_history .node_repl_history .psql_history .mysql_history .viminfo .claude .claude.json .codex
  .gemini .copilot .cline .vibe .zot .rkat .cursor .aider .goose Library/Keychains Library/Cookies Library/Messages Library/Mail
  Library/Safari Library/Application\u00a0Support/Google Library/Application\u00a0Support/Firefox`).map(name =>
  name.replaceAll('\u00a0', ' '),
)
const ofConfig = words(`
  gcloud doctl gh glab-cli hub op rclone containers git/credentials github-copilot google-chrome chromium BraveSoftware microsoft-edge Signal
  sops solana stripe com.vercel.cli pypoetry pip zot opencode Code goose Cursor`)
const ofData = words('keyrings kwalletd fish zot opencode atuin com.vercel.cli goose')
const ofState = words('zot bash zsh')
const ofCargo = words('credentials credentials.toml')

/** Variables that name such a place, or several. */
const variables = words(`
  GNUPGHOME KUBECONFIG CODEX_HOME CLAUDE_CONFIG_DIR DOCKER_CONFIG AWS_SHARED_CREDENTIALS_FILE AWS_CONFIG_FILE CLOUDSDK_CONFIG GH_CONFIG_DIR HISTFILE
  PGPASSFILE NPM_CONFIG_USERCONFIG npm_config_userconfig NETRC ZOT_HOME PASSWORD_STORE_DIR AZURE_CONFIG_DIR HF_HOME`)

/** Only the system's administrator may look into them. */
const ofSystem = words('/etc/shadow /etc/gshadow /etc/ssl/private /etc/sudoers /etc/sudoers.d')

function inEach(folders: readonly string[], names: readonly string[]): string[] {
  return folders.flatMap(folder => names.map(name => join(folder, name)))
}

/** Paths that may not exist, with links as they are. `homes` are the absolute home folders of the person. */
export function secretPlaces(homes: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const valueOf = (name: string): string[] =>
    (lookup(env, name) ?? '').split(delimiter).filter(path => isAbsolute(path))
  const below = (name: string): string[] => homes.map(home => join(home, name))
  return [
    ...inEach(homes, ofHome),
    ...inEach([...below('.config'), ...valueOf('XDG_CONFIG_HOME')], ofConfig),
    ...inEach([...below('.local/share'), ...valueOf('XDG_DATA_HOME')], ofData),
    ...inEach([...below('.local/state'), ...valueOf('XDG_STATE_HOME')], ofState),
    ...inEach([...below('.cargo'), ...valueOf('CARGO_HOME')], ofCargo),
    ...variables.flatMap(name => valueOf(name)),
    ...ofSystem,
  ]
}
