/** A transport to a program on another machine, over its own connection. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:os'
import type { RemoteMachine } from '../../platform/remote/machine.ts'
import { createLineInbox } from './inbox.ts'
import { createProcessTransport, type ProcessOptions } from './process.ts'
import type { Ending, Transport } from './transport.ts'

export type RemoteProcessOptions = Pick<ProcessOptions, 'watch' | 'shortens'> & {
  machine: RemoteMachine
  /** Runs the program in the foreground, so that it has the standard streams of the shell. */
  script: string
}

/** The time for a signal to get there, in milliseconds. */
const SIGNAL_LIMIT = 3000
/** A broken connection is reported as ended within this time, in milliseconds. */
const LOSS_IS_REPORTED = 500

/** Starts the program there. Never throws: `ended` says why it did not start. */
export function createRemoteTransport({ machine, script, watch, shortens }: RemoteProcessOptions): Transport {
  const mark = `zotui-${randomBytes(8).toString('hex')}`
  const marked = [`printf '\\n%s %s\\n' ${mark} $$`, script, `printf '\\n%s end %s\\n' ${mark} $?`].join('\n')
  const { file, args, env, firstLine } = machine.program(marked)
  const inner = createProcessTransport({ file, args, env, watch, shortens })
  const inbox = createLineInbox()
  /** The shell there, which leads the program's session. */
  let shell: number | null = null
  let code: number | null = null
  let over = false

  const take = (line: string): void => {
    const [, word = '', value = ''] = line.startsWith(mark) ? (/^\S+ (end )?(\d+)$/.exec(line) ?? []) : []
    if (value === '') {
      // Before that only the files of the shell may have printed something.
      if (shell !== null && line !== '') inbox.push(line)
    } else if (word === '') shell = Number(value)
    else code = Number(value)
  }
  inner.receive(take, bytes => {
    if (shell !== null) inbox.drop(bytes)
  })
  inner.write(firstLine.slice(0, -1))

  const ended = inner.ended.then((end): Ending => {
    over = true
    if (code === null) return { ...end, code: null, signal: null, lost: { target: machine.target, end } }
    const signal = code > 128 ? (nameOfSignal(code - 128) ?? null) : null
    return { ...end, code: signal === null ? code : null, signal }
  })
  const reach = async (signal: string): Promise<boolean> => {
    if (shell === null) return false
    const answer = await machine.ask(signalScript(shell, signal), { limit: SIGNAL_LIMIT })
    return answer.ok && answer.code === 0
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    const isReached = await reach(signal === 'SIGKILL' ? 'KILL' : 'TERM')
    if (signal === 'SIGKILL' || !isReached) inner.kill(signal)
  }
  return {
    pid: inner.pid,
    ended,
    receive: inbox.receive,
    words: () => inner.words(),
    write: line => inner.write(line),
    closeInput: () => inner.closeInput(),
    async freeze() {
      if (over) return false
      const isReached = await reach('STOP')
      if (!isReached) await Promise.race([ended, new Promise(resolve => setTimeout(resolve, LOSS_IS_REPORTED))])
      return !over
    },
    kill(signal) {
      if (over) return
      // The connection is cut in any case: without it the program has no input.
      void end(signal)
    },
  }
}

function nameOfSignal(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, each]) => each === number)?.[0]
}

/** Signals the processes of the session that the shell leads, as far as the system lists them; else those of its process group. */
function signalScript(shell: number, signal: string): string {
  return [
    `of() { IFS= read -r l </proc/$1/stat || return; set -- \${l##*) }; s=$4; }`,
    `s=; of ${shell} 2>/dev/null; own=$s; s=; of $$ 2>/dev/null`,
    // A shell that does not lead its own session shares one with processes that are not zotui's.
    `if [ "$own" ] && [ "$own" != "$s" ] && [ "$own" -gt 1 ]; then`,
    `for p in /proc/[0-9]*; do p=\${p#/proc/}; s=; of $p 2>/dev/null; [ "$s" = "$own" ] && kill -${signal} $p 2>/dev/null; done; exit 0`,
    `else kill -${signal} -${shell} 2>/dev/null || kill -${signal} ${shell}; fi`,
  ].join('\n')
}
