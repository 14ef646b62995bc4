import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { TerminalWriter, type TerminalStream } from '../../../src/terminal/output/terminal-writer.ts'

/** A terminal that takes as much as a pipe does, until somebody reads. */
function openPipe() {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-outlet-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  onTestFinished(() => {
    closeSync(fd)
    rmSync(folder, { recursive: true })
  })
  const target = { fd, _handle: { setBlocking: () => 0 } } as unknown as TerminalStream
  const bytes = Buffer.alloc(1024 * 1024)
  /** The number of bytes. */
  function read(): number {
    try {
      return readSync(fd, bytes, 0, bytes.length, null)
    } catch {
      // Nothing, just now.
      return 0
    }
  }
  return { target, read }
}

/** More than a pipe takes. */
const TOO_MUCH = 'x'.repeat(4 * 1024 * 1024)

describe.skipIf(process.platform === 'win32')('a terminal that does not read', () => {
  test('is waited for until it has read everything', async () => {
    const { target, read } = openPipe()
    const outlet = new TerminalWriter(target, () => {})
    outlet.write(TOO_MUCH)
    expect(outlet.isBehind).toBe(true)
    const taken = outlet.taken()
    let left = TOO_MUCH.length
    await expect.poll(() => (left -= read()), { interval: 1, timeout: 10_000 }).toBe(0)
    await taken
    expect(outlet.isBehind).toBe(false)
  })

  test('does not block a handoff of the terminal for ever', async () => {
    const { target } = openPipe()
    const outlet = new TerminalWriter(target, () => {})
    outlet.write(TOO_MUCH)
    const taken = outlet.taken()
    outlet.close()
    await taken
    expect(outlet.isBehind).toBe(false)
  })
})
