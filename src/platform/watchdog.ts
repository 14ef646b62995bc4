/**
 * Cleans up when zotui itself cannot, such as after `kill -9` or out of memory. A small `sh` reads a pipe from zotui. The pipe
 * closes however zotui ends; the shell then restores the terminal and ends the processes that zotui started.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { helperEnvironment } from './programs.ts'

export type Watchdog = {
  /** zotui uses the terminal; `giveBack` is the sequence that resets its modes. Called again when that changes. */
  taken: (giveBack: string) => void
  /** The terminal is restored, or another program uses it: the watchdog does not change it. */
  returned: () => void
  /** The process leads a session that must end with zotui; the returned function cancels that. */
  watch: Watch
}

export type Watch = (leader: number) => () => void

/**
 * Lines of the pipe are kept in variables, and acted upon only at its end: whatever is restored or has ended by then
 * is left alone. It leads a session of its own, so that no signal of the terminal reaches it.
 *
 * - `stty -g` is asked before we change anything, and again when the terminal is ours. At the end the terminal's state is
 *   set back only where it is still as we left it: a shell that has it again by then has set it for itself. Where this
 *   shell came up too late to ask, what raw mode takes away is restored. Nothing waits for all that, as a terminal that
 *   is not read holds it up; and it is opened anew for that, since what we share says that nobody waits.
 * - The processes of a session are found in /proc, where the name in parentheses may hold anything, a newline too. On
 *   systems without it the leader's process group is all that can be reached. What called setsid is out of reach. A shell
 *   reads them byte by byte, so it does that only where a session is left, and again only when one that it has found has ended.
 * - They get a second to clean up behind themselves.
 */
const SCRIPT = `
cd /
PATH=\${PATH:+$PATH:}/usr/bin:/bin
trap '' HUP INT QUIT TERM TSTP
before=$(stty -g <&3)
own=$(tty <&3) && [ -r "$own" ] && [ -w "$own" ] && exec 3<>"$own"
modes= ours= sessions=' '
while read -r word rest; do
  case $word in
    taken) [ "$modes" ] || ours=$(stty -g <&3); modes=$rest ;;
    given) modes= ;;
    began) sessions="$sessions$rest " ;;
    ended) case $sessions in *" $rest "*) sessions="\${sessions%% $rest *} \${sessions#* $rest }" ;; esac ;;
  esac
done
signal() {
  left=
  [ -e /proc/self/stat ] || for id in $sessions; do kill -"$1" -"$id" && left="$left -$id"; done
  for stat in /proc/[0-9]*/stat; do
    all=
    while read -r line || [ "$line" ]; do all="$all $line"; done <"$stat"
    pid=\${stat#/proc/} pid=\${pid%/stat}
    set -- "$1" \${all##*) }
    case $2 in '' | Z | X) continue ;; esac
    case $sessions in *" $5 "*) kill -"$1" "$pid" && left="$left $pid" ;; esac
  done
  [ "$left" ]
}
nap() { sleep 0.1 || sleep 1; }
mend() {
  printf %b "$modes" >&3
  nap
  [ "$ours" ] && [ "$ours" = "$(stty -g <&3)" ] || return
  [ "$before" = "$ours" ] && before='brkint icrnl ixon icanon echo isig iexten'
  stty $before <&3
}
[ "$modes" ] && mend &
case $sessions in *[0-9]*) ;; *) exit 0 ;; esac
signal TERM || exit 0
for _ in 1 2 3 4 5 6 7 8 9 10; do
  nap
  kill -0 $left || signal 0 || exit 0
done
signal KILL
`

/**
 * Does nothing where there is no `sh`, on Windows, or with `ZOTUI_WATCHDOG=0`. To be started before the terminal is changed; where it
 * never is, `isForProcesses` waits for the first process to watch, which is then started before the watchdog.
 */
export function startWatchdog({ isForProcesses = false } = {}): Watchdog {
  let dog = isForProcesses ? undefined : startShell()
  const send = (line: string): void => {
    if (dog === undefined) dog = startShell()
    // A pipe accepts this in one write, so the line arrives even if zotui dies right after it.
    if (dog?.stdin?.writable) dog.stdin.write(`${line}\n`)
  }
  return {
    taken: giveBack => send(`taken ${escaped(giveBack)}`),
    returned: () => send('given'),
    watch(leader) {
      send(`began ${leader}`)
      return () => send(`ended ${leader}`)
    },
  }
}

function startShell(): ChildProcess | null {
  const { env, platform } = process
  if (platform === 'win32' || env['ZOTUI_WATCHDOG'] === '0') return null
  const dog: ChildProcess = spawn('/bin/sh', ['-c', SCRIPT, 'zotui-watchdog'], {
    stdio: ['pipe', 'ignore', 'ignore', process.stdout],
    detached: true,
    env: { PATH: helperPath(env) },
  })
  // Without the watchdog zotui still works: nothing to report.
  dog.on('error', () => {})
  dog.stdin?.on('error', () => {})
  dog.unref()
  return dog
}

/** The folders of stty and sleep: nearly always those of the system, which are known without a look at all of PATH. */
function helperPath(env: NodeJS.ProcessEnv): string | undefined {
  const isUsual = ['/usr/bin/stty', '/bin/stty'].some(existsSync)
  return isUsual ? '/usr/bin:/bin' : helperEnvironment(env, process.cwd())['PATH']
}

/** For `printf %b`. */
function escaped(sequence: string): string {
  return sequence.replaceAll('\\', '\\\\').replaceAll('\u001B', '\\033')
}
