/** Commands that the relay runs on another machine (`zotui-relay.ts`). */
import { StringDecoder } from 'node:string_decoder'
import { createClip } from '../../../../platform/shell/clip.ts'
import { createOutputBatcher } from '../../../../platform/shell/output-batching.ts'
import type { RunsCommands, ShellResult } from '../../../../platform/shell/run.ts'

export type RelayedCommands = {
  run: RunsCommands
  /** A line of the relay. One that is not understood does nothing. */
  receive(line: string): void
  /** The relay is gone: what ran there has been ended. `why` is the reason as text. */
  lose(why: string): void
}

type RelayedCommand = {
  out: (bytes: Buffer) => void
  end: (how: Pick<ShellResult, 'exitCode' | 'signal' | 'problem'>) => void
}

export function createRelayedCommands(write: (line: string) => void): RelayedCommands {
  const running = new Map<string, RelayedCommand>()
  let count = 0
  let lost: string | null = null

  const run: RunsCommands = ({ command, cwd, limitBytes, onOutput }) => {
    const { promise: done, resolve } = Promise.withResolvers<ShellResult>()
    const began = performance.now()
    const clip = createClip(limitBytes)
    const live = createOutputBatcher(onOutput, [])
    const decoder = new StringDecoder('utf8')
    const number = String((count += 1))
    let stopped = false
    const take = (text: string): void => {
      clip.push(text)
      live.push(text)
    }
    const call: RelayedCommand = {
      out: bytes => take(decoder.write(bytes)),
      end(how) {
        running.delete(number)
        take(decoder.end())
        live.finish()
        resolve({
          ...how,
          output: clip.result(),
          omittedBytes: clip.omitted(),
          durationMs: performance.now() - began,
          stopped,
        })
      },
    }
    running.set(number, call)
    if (lost === null) write(`run ${number} ${Buffer.from(JSON.stringify({ command, cwd })).toString('base64')}`)
    else call.end({ exitCode: null, signal: null, problem: lost })
    return {
      done,
      stop() {
        stopped = true
        write(`stop ${number}`)
      },
    }
  }

  return {
    run,
    receive(line) {
      const [, word, number = '', rest = ''] = /^(out|end|failed) (\d+) (.*)$/.exec(line) ?? []
      const call = running.get(number)
      if (word === 'out') call?.out(Buffer.from(rest, 'base64'))
      if (word === 'failed')
        call?.end({ exitCode: null, signal: null, problem: Buffer.from(rest, 'base64').toString('utf8') })
      if (word !== 'end') return
      const isCode = /^\d+$/.test(rest)
      call?.end({ exitCode: isCode ? Number(rest) : null, signal: isCode ? null : rest, problem: null })
    },
    lose(why) {
      lost = why
      for (const call of running.values()) call.end({ exitCode: null, signal: null, problem: why })
    },
  }
}
