/**
 * The PATH for the programs that zotui starts on another machine, such as git and mkfifo: without the folders of the project there, as
 * `programs.ts` does it here. An image of a container often has them in PATH. Pure.
 */

/** The variable that keeps the PATH of that machine, for what the user or the agent runs. */
export const OWN = 'zotui_path'

/**
 * Sets PATH for the rest of the script. `goTo` is a command that goes to the folder. A function of its own runs it, in a shell of its own,
 * so that it changes nothing else.
 */
export function helperPath(goTo: string): string {
  return `${OWN}=$PATH; PATH=$(${FILTER.replace('GO', () => goTo)}); PATH=\${PATH:-/usr/bin:/bin}`
}

/** Gives what follows the PATH of that machine. */
export const OWN_PATH = `PATH=$${OWN}`

/**
 * Runs nothing but what is built into every shell. Each pattern has both its parentheses: bash 3.2 does not read them otherwise in `$()`. A
 * name of a folder with a newline belongs to no project.
 */
const FILTER = String.raw`
set -f; GO; n='
'
here=$(pwd -P); home=$(CDPATH= cd && pwd -P); roots=; d=$here
while [ "$d" ]; do
  case $home/ in ("$d"/*) break ;; esac
  if [ "$d" = "$here" ] || [ -e "$d/.git" ]; then roots="$roots$d$n"; fi
  d=${'$'}{d%/*}
done
kept=; IFS=:
for p in $PATH; do
  case $p in (/*) ;; (*) continue ;; esac
  real=$(CDPATH= cd -- "$p" 2>/dev/null && pwd -P) || continue
  rest=$roots
  while [ "$rest" ]; do
    root=${'$'}{rest%%"$n"*}; rest=${'$'}{rest#*"$n"}
    case $p/ in ("$root"/*) continue 2 ;; esac
    case $real/ in ("$root"/*) continue 2 ;; esac
  done
  kept=${'$'}{kept:+$kept:}$p
done
printf %s "$kept"
`
