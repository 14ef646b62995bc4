/**
 * Writes the files of a plan on another machine, by the rules of `restore.ts`. Git already has their content there, and writes
 * it.
 */
import { messageOf } from '../platform/errors.ts'
import { isWithin } from '../platform/within.ts'
import { enter } from '../platform/remote/machine.ts'
import { ownGitLines } from '../platform/git/switches.ts'
import { quoted } from '../platform/shell/quoting.ts'
import type { FileModes, PlannedFile, Restored, RestorePlace } from './restore.ts'
import { lookup } from '../text/lookup.ts'

/** The number of files in one script. */
const AT_ONCE = 200

/** `ask` runs a script there, and rejects if it fails. The files after that count as failed. */
export async function restoreThere(
  ask: (script: string) => Promise<string>,
  place: RestorePlace,
  files: readonly PlannedFile[],
  modes: FileModes,
): Promise<Restored> {
  const { root } = place
  const failed: { path: string; why: string }[] = []
  const inside = files.filter(({ path }) => path !== '' && isWithin(root, `${root}/${path}`))
  for (const { path } of files.filter(file => !inside.includes(file)))
    failed.push({ path, why: 'is not in the folder' })
  const written = inside.filter(({ entry }) => entry !== null)
  const doomed = inside.filter(({ entry }) => entry === null)
  // An entry that blocks a file is removed before the file is written, in either direction.
  const isInTheWay = ({ path }: PlannedFile): boolean =>
    written.some(other => path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`))
  const first = doomed.filter(isInTheWay)
  const steps = [...first, ...written, ...doomed.filter(file => !first.includes(file))]
  let count = 0
  for (let at = 0; at < steps.length; at += AT_ONCE) {
    const some = steps.slice(at, at + AT_ONCE)
    let rows: string[]
    try {
      rows = (await ask(scriptOf(place, some, modes))).split('\0')
    } catch (error) {
      const why = messageOf(error)
      // The script may have run, or may still be running.
      for (const { path } of some) failed.push({ path, why: `may not have been restored: ${why}` })
      for (const { path } of steps.slice(at + AT_ONCE)) failed.push({ path, why: `was not restored: ${why}` })
      break
    }
    for (const [index, { path }] of some.entries()) {
      const [, code, why = ''] = /^(\d+) ([^]*)$/.exec(rows[index] ?? '') ?? []
      if (code === '0') count += 1
      else failed.push({ path, why: code === String(REFUSED) ? why : `could not be restored: ${why || 'no reason'}` })
    }
  }
  return { count, failed }
}

/** The exit code of a step that leaves the file alone; its output completes a sentence. */
const REFUSED = 9

function scriptOf(
  { root, variables, unfinished }: RestorePlace,
  files: readonly PlannedFile[],
  modes: FileModes,
): string {
  const steps = files.map(({ path, entry }) => {
    const word = quoted(`./${path}`)
    if (entry === null) return `step del ${word}`
    if (entry.mode === '120000') return `step link ${word} ${quoted(entry.oid)}`
    const mode = lookup(modes, path)?.toString(8) ?? ''
    return `step put ${word} ${quoted(entry.oid)} ${entry.mode === '100755' ? 1 : 0} ${quoted(mode)}`
  })
  return [
    `${enter(root)} || { echo 'the working folder is gone' >&2; exit 1; }`,
    ownGitLines(variables),
    `unfinished=${quoted(unfinished)}`,
    FUNCTIONS,
    ...steps,
  ].join('\n')
}

/** Removes what a restore that was killed left there: see `Disk.tidy`. */
export async function tidyThere(
  ask: (script: string) => Promise<string>,
  root: string,
  paths: readonly string[],
  name: string,
): Promise<void> {
  const inside = paths.filter(path => path !== '' && isWithin(root, `${root}/${path}`))
  for (let at = 0; at < inside.length; at += AT_ONCE) {
    const steps = inside.slice(at, at + AT_ONCE).map(path => `tidy ${quoted(`./${path}`)}`)
    await ask([`${enter(root)} || exit 0`, `unfinished=${quoted(name)}`, TIDY, ...steps].join('\n'))
  }
}

const TIDY = String.raw`
tidy() {
  d=.; rest=\${1#./}
  while :; do
    case $rest in */*) d=$d/\${rest%%/*}; rest=\${rest#*/} ;; *) break ;; esac
    if [ -L "$d" ]; then return 0; fi
    [ -d "$d" ] || break
  done
  if [ -d "\${1%/*}" ]; then rm -f "\${1%/*}/$unfinished"; fi
  if [ -e "$1" ] || [ -L "$1" ]; then return 0; fi
  p=\${1#./}
  while :; do
    case $p in */*) p=\${p%/*} ;; *) break ;; esac
    if [ -d "./$p" ]; then rmdir "./$p" 2>/dev/null || break; fi
  done
}`.replaceAll(String.raw`\${`, '${')

/** Every step runs in a shell of its own, and prints one answer: its exit code and its words. */
const FUNCTIONS = String.raw`
umask 022
step() { r=$( ( set -e; "$@" ) 2>&1 </dev/null ); s=$?; printf '%s %s\000' "$s" "$r"; }
refuse() { printf '%s' "$1"; exit ${REFUSED}; }
content() { git --no-pager --literal-pathspecs cat-file blob "$1"; }
way() {
  rest=\${1#./}; a=.
  while :; do
    case $rest in */*) a=$a/\${rest%%/*}; rest=\${rest#*/};; *) break;; esac
    if [ -L "$a" ] || { [ -e "$a" ] && [ ! -d "$a" ]; }; then refuse "cannot be restored: \${a#./} is in its way"; fi
    [ -d "$a" ] || mkdir "$a"
  done
}
free() {
  if [ -L "$1" ]; then rm -f "$1"
  elif [ -d "$1" ]; then rmdir "$1" 2>/dev/null || refuse 'cannot be restored: a folder with other files is in its place'
  elif [ -e "$1" ] && [ ! -f "$1" ]; then refuse 'cannot be restored: a pipe or a device is in its place'
  fi
}
put() {
  way "$1"; free "$1"; m=0644
  if [ -e "$1" ]; then
    [ -w "$1" ] || { echo 'permission denied'; exit 1; }
    m=0$(stat -c %a "$1" 2>/dev/null || stat -f %Lp "$1")
  fi
  m=$(( $m & 0666 ))
  [ "$3" = 0 ] || m=$(( m | ((m & 0444) >> 2) ))
  m=$(printf %o "$m"); [ -z "$4" ] || m=$4
  if [ ! -e "$1" ] || { [ -O "$1" ] && [ "$(find "$1" -prune -links 1)" ]; }; then
    t=\${1%/*}/$unfinished; trap 'rm -f "$t"' EXIT
    ( umask 077; content "$2" >"$t" ); chmod "$m" "$t"; mv -f "$t" "$1"
  else
    content "$2" >"$1"; [ -z "$4" ] || chmod "$4" "$1"
  fi
}
link() {
  way "$1"; l=$(content "$2" && printf x); l=\${l%x}
  if [ -L "$1" ]; then
    c=$(readlink "$1"; printf x)
    [ "$c" != "$l
x" ] || return 0
    rm -f "$1"
  elif [ -f "$1" ]; then rm -f "$1"
  else free "$1"
  fi
  ln -s -- "$l" "$1"
}
del() {
  p=\${1#./}
  while :; do
    case $p in */*) p=\${p%/*};; *) break;; esac
    [ ! -L "./$p" ] || refuse 'stays: it is behind a link now'
  done
  [ -e "$1" ] || [ -L "$1" ] || return 0
  [ -L "$1" ] || [ ! -d "$1" ] || refuse 'stays: it is a folder now'
  rm -f "$1"; p=\${1#./}
  while :; do
    case $p in */*) p=\${p%/*};; *) break;; esac
    rmdir "./$p" 2>/dev/null || break
  done
}`.replaceAll(String.raw`\${`, '${')
