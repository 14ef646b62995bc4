/** The commands that git runs: `git bisect run make`, `git submodule foreach 'make'`, `git rebase -x make`. */
import type { CommandWord } from './line.ts'
import { lookup } from '../../text/lookup.ts'

/** The place of the command, and whether it is one word in the language of the shell. */
export type GitInner = { at: number; isText: boolean }

/** The place of git's subcommand, after its global options: `git -C dir --no-pager push`. */
export function subcommandAt(words: readonly CommandWord[]): number {
  let at = 1
  for (; words[at]?.value?.startsWith('-'); at++)
    if (
      /^(?:-[cC]|--(?:git-dir|work-tree|namespace|config-env|super-prefix|attr-source))$/.test(words[at]?.value ?? '')
    )
      at++
  return at
}

/** Settings for one command that name no program. */
const harmless =
  /^(?:(?:user|author|committer|color|advice|safe|push|pull|fetch|http|commit|log|status|i18n|branch)\.[^=]*|init\.defaultbranch|core\.(?:quotepath|autocrlf|eol|abbrev|filemode|ignorecase|longpaths)|[^=]*=(?:|cat|true|false|:|\d+|always|never|auto|\/dev\/null)$)/i

/** Options of subcommands that name a program. git takes them shortened, too. */
const runs: Readonly<Record<string, RegExp>> = {
  'filter-branch': /^/,
  difftool: /^(?:-[a-z]*x|--ext)/,
  grep: /^(?:-[a-zA-Z]*O|--op)/,
  rebase: /^(?:-[a-zA-Z]*x|--ex)/,
  ...Object.fromEntries(
    ['archive', 'clone', 'fetch', 'ls-remote', 'pull', 'push'].map(name => [name, /^--(?:up|rece|ex)/]),
  ),
  clone: /^(?:-[a-z]*u|--up)/,
}

/** Finds the command that git runs; null for none, and `unknown` where there is one that has no parser here. */
export function gitInner(words: readonly CommandWord[]): GitInner | null | 'unknown' {
  const start = subcommandAt(words)
  for (const [at, { value }] of words.slice(0, start).entries()) {
    if (value?.startsWith('--exec-path=') || value?.startsWith('--config-env')) return 'unknown'
    const setting = words[at + 1]
    if (value === '-c' && !harmless.test(setting?.value ?? setting?.text ?? '')) return 'unknown'
  }
  const name = words[start]?.value ?? ''
  const quiet = /^(?:-q|--quiet)$/
  let at = start + 1
  if (name === 'submodule') while (quiet.test(words[at]?.value ?? '')) at++
  const second = words[at]?.value
  if (name === 'bisect' && second === 'run') return { at: start + 2, isText: false }
  if (name === 'submodule' && second === 'foreach') {
    const options = words.slice(at + 1).findIndex(({ value }) => !/^(?:--recursive|--quiet|-q)$/.test(value ?? ''))
    const first = at + 1 + options
    return options < 0 ? null : { at: first, isText: first === words.length - 1 }
  }
  const option = lookup(runs, name)
  const found = words.flatMap(({ value }, at) => (at > start && option?.test(value ?? '') ? [at] : []))
  const [first = 0] = found
  if (name === 'rebase' && found.length === 1 && /^(?:-x|--exec)$/.test(words[first]?.value ?? ''))
    return { at: first + 1, isText: true }
  return found.length > 0 ? 'unknown' : null
}
