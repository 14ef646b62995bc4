/** A command of the user's on another machine. Pure. */
import { OWN_PATH } from './helper-path.ts'
import { enter } from './machine.ts'
import { quoted } from '../shell/quoting.ts'

/**
 * Runs the command in the user's own shell there, without input. When the connection ends, so do all processes that the command left in
 * the process group of the connection's shell.
 */
export function commandScript(folder: string, command: string): string {
  return [
    `${enter(folder)} || { echo 'the working folder is gone' >&2; exit 1; }`,
    'exec 3<&0',
    // It ignores the signal that it sends to the others.
    `( trap '' TERM HUP; while IFS= read -r z <&3; do :; done; kill -TERM 0; sleep 2; kill -KILL 0 ) >/dev/null 2>&1 & w=$!`,
    OWN_PATH,
    `"\${SHELL:-/bin/sh}" -c ${quoted(command)} </dev/null 2>&1 3<&-; s=$?`,
    'kill -KILL $w; exit $s',
  ].join('\n')
}
