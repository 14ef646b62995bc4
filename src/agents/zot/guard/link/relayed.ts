/** A guard and its gates on another machine, connected through the relay (`zotui-relay.ts`). */
import type { RemoteMachine } from '../../../../platform/remote/machine.ts'
import { asLine } from '../../../../platform/remote/quoting.ts'
import { quoted } from '../../../../platform/shell/quoting.ts'
import { createRemoteTransport } from '../../../transport/remote-process.ts'
import type { Ending, Transport } from '../../../transport/transport.ts'
import { withTimeout } from '../../../transport/with-timeout.ts'
import { lossOf } from '../../explain.ts'
import { GONE, type OpenGuardChannel } from './channel.ts'
import { makeGate, type Gate, type Gates } from '../gates.ts'

export type RelayOptions = {
  machine: RemoteMachine
  /** The folder to make there, an absolute path that other users cannot guess. */
  folder: string
  /** The absolute path of Node there. */
  node: string
  /** The source texts of the two programs, and their file extensions. */
  programs: { guard: string; relay: string; ending: string }
  watch?: ((leader: number) => () => void) | undefined
}

export type Relay = {
  open: OpenGuardChannel
  gates: Gates
  /** Ends it. Resolves when its folder there is removed, or after `CLOSE_LIMIT`. */
  close(): Promise<void>
}

/** The time that a command waits for a pipe before it is held in another way, in milliseconds: zot waits 5 s in all. */
const PIPE_LIMIT = 1500
/** The longest wait for the relay to end and for its shell to remove the folder, in milliseconds. */
const CLOSE_LIMIT = 3000

/** Starts the relay there. Never throws: a relay that cannot be started is reported as a lost guard. */
export function startRelay({ machine, folder, node, programs, watch }: RelayOptions): Relay {
  const transport = createRemoteTransport({ machine, script: relayScript({ folder, node, programs }), watch })
  const pool = createPool(transport, folder)
  return {
    open({ onOpen, onLine, onLost }) {
      transport.receive(line => {
        if (line.startsWith('{')) onLine(line)
        else if (line === 'open') onOpen()
        else if (line === 'gone') onLost(GONE)
        else pool.hear(line)
      })
      void transport.ended.then(ending => onLost(reasonOf(ending)))
      return { write: line => transport.write(line), close: () => transport.closeInput() }
    },
    gates: pool.gates,
    async close() {
      transport.closeInput()
      await withTimeout(CLOSE_LIMIT, transport.ended)
    },
  }
}

function reasonOf({ lost, lastWords }: Ending): string {
  if (lost) return lossOf(lost.target)
  return lastWords.length > 0 ? `${GONE} (${lastWords.at(-1)})` : GONE
}

/** Makes the folder, with mode 0700, and writes the programs into it. All of that fails if the folder exists. */
function relayScript({ folder, node, programs }: Pick<RelayOptions, 'folder' | 'node' | 'programs'>): string {
  const { guard, relay, ending } = programs
  const file = (name: string): string => quoted(`${folder}/${name}.${ending}`)
  const write = (name: string, text: string): string => `printf %b ${quoted(asLine(text))} >${file(name)} || exit 1`
  return [
    'umask 077',
    `mkdir -m 700 ${quoted(folder)} || exit 1`,
    write('zotui-guard', guard),
    write('zotui-relay', relay),
    `${quoted(node)} ${file('zotui-relay')} ${quoted(folder)} ${file('zotui-guard')} "$(command -v mkfifo)"; s=$?`,
    // A killed relay could not remove it.
    `rm -rf ${quoted(folder)}; (exit $s)`,
  ].join('\n')
}

function createPool(
  transport: Pick<Transport, 'write'>,
  folder: string,
): { gates: Gates; hear: (line: string) => void } {
  const free: string[] = []
  let waiting: ((name: string | null) => void)[] = []
  let closed = false

  const gates: Gates = {
    async take() {
      const name = free.shift() ?? (await next())
      return name === null || closed ? null : gateAt(name)
    },
    close() {
      closed = true
      for (const give of waiting.splice(0)) give(null)
    },
  }
  return { gates, hear }

  function hear(line: string): void {
    const [, name] = /^gate (gate-\d+)$/.exec(line) ?? []
    if (name === undefined) return line === 'no-gates' ? gates.close() : undefined
    const give = waiting.shift()
    if (give) give(name)
    else free.push(name)
  }

  function next(): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>()
    const timer = setTimeout(() => {
      waiting = waiting.filter(each => each !== resolve)
      resolve(null)
    }, PIPE_LIMIT)
    waiting.push(resolve)
    transport.write('more')
    return promise.finally(() => clearTimeout(timer))
  }

  function gateAt(name: string): Gate {
    const pipe = {
      path: `${folder}/${name}`,
      answer: (line: string) => transport.write(`answer ${name} ${line}`),
      putScript: (text: string) => transport.write(`script ${name} ${Buffer.from(text).toString('base64')}`),
    }
    return makeGate(pipe, () => transport.write(`free ${name}`))
  }
}
