/** A guard on another machine, and the commands that run there, connected through the relay (`zotui-relay.ts`). */
import { OWN } from '../../../../platform/remote/helper-path.ts'
import type { RemoteMachine } from '../../../../platform/remote/machine.ts'
import { asLine } from '../../../../platform/remote/quoting.ts'
import { quoted } from '../../../../platform/shell/quoting.ts'
import { createRemoteTransport } from '../../../transport/remote-process.ts'
import type { RunsCommands } from '../../../../platform/shell/run.ts'
import type { Ending } from '../../../transport/transport.ts'
import { withTimeout } from '../../../transport/with-timeout.ts'
import { lossOf } from '../../../host/explain-end.ts'
import { GONE, type OpenGuardChannel } from './channel.ts'
import { createRelayedCommands } from './relayed-commands.ts'

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
  runCommand: RunsCommands
  /** Ends it. Resolves when its folder there is removed, or after `CLOSE_LIMIT`. */
  close(): Promise<void>
}

/** The longest wait for the relay to end and for its shell to remove the folder, in milliseconds. */
const CLOSE_LIMIT = 3000

/** Milliseconds for another connection to remove the folder. */
const REMOVE_LIMIT = 10_000
/** Connections that are asked to remove it: those that are open may have been killed, too, which is seen when they are asked. */
const MOST_TRIES = 5

/** Starts the relay there. Never throws: a relay that cannot be started is reported as a lost guard. */
export function startRelay({ machine, folder, node, programs, watch }: RelayOptions): Relay {
  const transport = createRemoteTransport({ machine, script: relayScript({ folder, node, programs }), watch })
  const commands = createRelayedCommands(line => transport.write(line))
  const removed = remove()
  return {
    open({ onOpen, onLine, onLost }) {
      transport.receive(line => {
        if (line.startsWith('{')) onLine(line)
        else if (line === 'open') onOpen()
        else if (line === 'gone') onLost(GONE)
        else commands.receive(line)
      })
      void transport.ended.then(ending => {
        const why = reasonOf(ending)
        commands.lose(why)
        return onLost(why)
      })
      return { write: line => transport.write(line), close: () => transport.closeInput() }
    },
    runCommand: commands.run,
    async close() {
      transport.closeInput()
      await withTimeout(CLOSE_LIMIT, removed)
    },
  }

  /** Removes the folder where no end was reported: the relay may have been killed with its shell, and then nothing there removes it. */
  async function remove(): Promise<void> {
    const { lost } = await transport.ended
    if (!lost) return
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const answer = await machine.ask(`rm -rf ${quoted(folder)}`, { limit: REMOVE_LIMIT })
      if (answer.ok || answer.why !== 'lost') return
    }
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
    `${quoted(node)} ${file('zotui-relay')} ${quoted(folder)} ${file('zotui-guard')} "$${OWN}"; s=$?`,
    // A killed relay could not remove it.
    `rm -rf ${quoted(folder)}; (exit $s)`,
  ].join('\n')
}
