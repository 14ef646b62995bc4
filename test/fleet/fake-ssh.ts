/** A program `ssh` that plays a host: it runs the script of a test, with the input and output of the connection. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { onTestFinished } from 'vitest'
import { createHostSource } from '../../src/fleet/sources/host-source.ts'
import { BOARD_PROTOCOL } from '../../src/fleet/board-lines.ts'
import type { BoardHost, BoardSource } from '../../src/fleet/board-source.ts'
import { timers } from '../../src/platform/timers.ts'

/** What each script may use: it writes a line, and takes those that come after the first. */
const PRELUDE = `
const say = line => process.stdout.write(JSON.stringify(line) + '\\n')
const board = (at = Date.now(), protocol = ${BOARD_PROTOCOL}) => say({ type: 'board', protocol, version: '0.1.0', at })
let first = true
let rest = ''
const takes = take => process.stdin.on('data', chunk => {
  rest += chunk
  for (let end = rest.indexOf('\\n'); end >= 0; end = rest.indexOf('\\n')) {
    const line = rest.slice(0, end)
    rest = rest.slice(end + 1)
    if (first) first = false
    else take(JSON.parse(line))
  }
})
process.stdin.on('end', () => process.exit())
`

export type PlayedHost = {
  source: BoardSource
  /** Waits until the host is as it is expected. */
  until: (check: (host: BoardHost) => boolean) => Promise<BoardHost>
  /** The script of the next connection. */
  play: (script: string) => void
}

/** Only ever waited for by a test that fails. */
const PATIENCE = 20_000

export function playHost(script: string, options: Partial<Parameters<typeof createHostSource>[0]> = {}): PlayedHost {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-board-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const played = join(folder, 'host.cjs')
  const play = (text: string): void => writeFileSync(played, `${PRELUDE}${text}`)
  play(script)
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec '${process.execPath}' '${played}' "$@"\n`)
  chmodSync(join(bin, 'ssh'), 0o700)
  const source = createHostSource({
    host: 'build',
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder },
    now: Date.now,
    elapsed: () => performance.now(),
    after: timers.after,
    ...options,
  })
  if (!source) throw new Error('no name of a host')
  onTestFinished(() => source.close())
  const waiting = new Set<() => void>()
  source.start(() => {
    for (const look of waiting) look()
  })
  return {
    source,
    play,
    async until(check) {
      const { promise, resolve, reject } = Promise.withResolvers<BoardHost>()
      const fail = (why: string): void => reject(new Error(`${why}: ${JSON.stringify(source.host(), null, 2)}`))
      const look = (): void => {
        const host = source.host()
        if (check(host)) resolve(host)
        // Such as one of another protocol: it lists nothing, however long anybody waits.
        else if (host.state === 'failed') fail('the host failed')
      }
      waiting.add(look)
      look()
      const cancel = timers.after(PATIENCE, () => fail(`not within ${PATIENCE} ms`))
      const host = await promise.finally(cancel)
      waiting.delete(look)
      return host
    },
  }
}
