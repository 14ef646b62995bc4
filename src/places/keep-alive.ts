/**
 * A place that zotui has started ends itself when no zotui has been there for some minutes: the computer of the person may be closed, lost,
 * or without a network, and nobody would end it.
 *
 * The first process of the place counts its own sleeps, and begins again at zero when it finds a file, which it removes. zotui makes that
 * file. No clock is read, so none can be wrong; while the place is suspended, nothing is counted.
 */
import { createMachine, type RemoteMachine } from '../platform/remote/machine.ts'
import type { Target } from '../platform/remote/target.ts'
import { quoted } from '../platform/shell/quoting.ts'

/** The file in the place. Its folder is one in which any user can make a file. */
const FILE = '/tmp/.zotui-is-here'
/** Seconds between two looks of the place at the file. */
const LOOK = 5
/** Milliseconds between two visits of zotui. */
const VISIT = 20_000
/** Milliseconds that a visit may take. */
const VISIT_LIMIT = 15_000

export type KeepAliveOptions = {
  /** Minutes without zotui after which the place ends. */
  minutes: number
  /** The folders to make first, such as the home folder on an empty volume. */
  folders: readonly string[]
}

/**
 * The script of the place's first process. It ends with 0 after the time without zotui, and with 143 when it is ended from outside, so that
 * a cluster sees the difference: only the latter is to be started again elsewhere.
 */
export function keepAliveScript({ minutes, folders }: KeepAliveOptions): string {
  const most = Math.max(1, Math.ceil((minutes * 60) / LOOK))
  return [
    // A first process has no signal handlers of the system: without this, it would not end before it is killed.
    `trap 'kill $! 2>/dev/null; exit 143' TERM INT`,
    ...(folders.length === 0 ? [] : [`mkdir -p -- ${folders.map(quoted).join(' ')} || exit 1`]),
    'n=0',
    `while [ "$n" -lt ${most} ]; do`,
    // A shell answers a signal only after its program has ended, but at once while it waits.
    `sleep ${LOOK} & wait $! || :`,
    `if [ -e ${FILE} ]; then rm -f ${FILE} || exit 1; n=0; else n=$((n + 1)); fi`,
    'done',
  ].join('\n')
}

/** The script of a visit. */
const VISIT_SCRIPT = `: >${FILE}`

export type Visits = {
  /** Visits at once. Resolves to why that is not possible, as a sentence without its full stop; null if it was. */
  visit: () => Promise<string | null>
  /** No visits any more. The place ends by and by. */
  stop: () => void
}

/** Visits the place again and again from the first visit on, through a connection of its own. The place may move: `target` is asked each time. */
export function keepVisiting(target: () => Target, env: NodeJS.ProcessEnv): Visits {
  let machine: RemoteMachine | null = null
  let isVisiting = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  async function visit(): Promise<string | null> {
    if (isOver) return 'it is not visited any more'
    timer ??= setInterval(() => {
      if (!isVisiting) void visit()
    }, VISIT).unref()
    const wanted = target()
    if (machine?.target !== wanted) {
      machine?.close()
      machine = createMachine(wanted, env)
    }
    isVisiting = true
    const answer = await machine.ask(VISIT_SCRIPT, { limit: VISIT_LIMIT })
    isVisiting = false
    if (isOver) machine.close()
    if (!answer.ok) return answer.words.trim().split('\n').at(-1) || 'it does not answer'
    return answer.code === 0 ? null : `${FILE} cannot be written: ${answer.words.trim() || 'permission denied'}`
  }

  return {
    visit,
    stop() {
      isOver = true
      clearInterval(timer)
      machine?.close()
    },
  }
}
