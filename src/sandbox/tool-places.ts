/** What of a home folder a box shows: programs, and who commits. Pure. */
import { join } from 'node:path/posix'
import { wordList } from '../text/word-list.ts'

/** Folders of tool chains and of programs that a person installs, without what these tools keep of accounts. */
const toolChains = wordList(`
  .local/bin .local/lib bin .nvm .fnm .volta .nodenv .n .local/share/fnm .local/share/pnpm .local/share/mise .local/share/rtx .local/share/uv
  .local/share/pipx .local/share/virtualenvs .local/pipx .asdf .tool-versions .node-version .nvmrc .python-version .ruby-version .npm-global
  .npm-packages .yarn/bin .config/yarn/global .bun/bin .bun/install/global .deno/bin .pyenv .virtualenvs .pixi .proto miniconda3 .miniconda3
  anaconda3 miniforge3 mambaforge micromamba .rbenv .rvm .gem/ruby .local/share/gem .rustup .cargo/bin go/bin .goenv
  .gvm sdk .sdkman .jenv .jabba .swiftly .dotnet .ghcup .cabal/bin .opam .elan .juliaup .julia/juliaup .foundry/bin .pub-cache/bin flutter
  Android/Sdk .nix-profile .nix-defexpr .local/state/nix .linuxbrew .phpenv .config/composer/vendor .composer/vendor .cache/ms-playwright
  .local/share/zig .zvm .tfenv .tgenv .krew/bin .poetry .local/share/pypoetry .rye/shims .rye/py .rye/self`)

/** Paths that may not exist. */
export function toolPlaces(homes: readonly string[]): string[] {
  return homes.flatMap(home => toolChains.map(name => join(home, name)))
}

/** The settings of git in a home folder: who commits, and what is ignored. */
export function gitSettings(home: string, configHome: string): string[] {
  return [join(home, '.gitconfig'), ...['config', 'ignore', 'attributes'].map(name => join(configHome, 'git', name))]
}

/** The files that such settings name, as they name them: more settings, and what is ignored. */
export function namedFiles(settings: string): string[] {
  return [...settings.matchAll(/^\s*(?:path|excludesfile|attributesfile)\s*=\s*"?(.+?)"?\s*$/gim)].map(
    ([, name = '']) => name,
  )
}

/** A line that may hold a password or a token: an address with one, or a setting for the network. */
const secret = /:\/\/[^\s/"]*@|extraheader|cookie|passw|token|secret|sslkey|sslcert|helper/i

/** The settings without lines that may hold a secret. */
export function withoutSecrets(settings: string): string {
  return settings
    .split('\n')
    .filter(line => !secret.test(line))
    .join('\n')
}
