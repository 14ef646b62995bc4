/** A demo agent on a clock that the test moves. */
import { setImmediate as settle } from 'node:timers/promises'
import { createDemoTransport } from '../../../src/agents/demo/transport.ts'
import type { Ending } from '../../../src/agents/transport/transport.ts'
import { HeldTimers } from './held-timers.ts'
import { wireFrame, type WireFrame } from './wire-frame.ts'

export class Demo {
  readonly timers = new HeldTimers()
  readonly lines: string[] = []
  ending: Ending | undefined
  readonly #transport
  #nextId = 1

  constructor(speed = 0) {
    this.#transport = createDemoTransport({ speed, timers: this.timers, cwd: '/home/you/project' })
    this.#transport.receive(line => this.lines.push(line))
    void this.#transport.ended.then(ending => (this.ending = ending))
  }

  get frames(): WireFrame[] {
    return this.framesSince(0)
  }

  /** Without the first `count`. */
  framesSince(count: number): WireFrame[] {
    return this.lines.slice(count).map(line => wireFrame.parse(JSON.parse(line)))
  }

  /** Sends a command and lets its answer arrive. Returns its id. */
  async send(command: Readonly<Record<string, unknown>>): Promise<string> {
    const id = String((this.#nextId += 1))
    await this.line(JSON.stringify({ id, ...command }))
    return id
  }

  async line(line: string): Promise<void> {
    this.#transport.write(line)
    await settle()
  }

  /** The response to a command that is answered at once. */
  async ask(command: Readonly<Record<string, unknown>>): Promise<WireFrame> {
    const id = await this.send(command)
    const response = this.frames.find(frame => frame.type === 'response' && frame.id === id)
    if (!response) throw new Error(`no response to ${JSON.stringify(command)}`)
    return response
  }

  /** Lets time pass until no timer is left. Returns the number of steps. */
  async finish(): Promise<number> {
    let steps = 0
    for (; !this.timers.idle; steps += 1) this.timers.step()
    await settle()
    // A queued operation has begun by now.
    return this.timers.idle ? steps : steps + (await this.finish())
  }

  async steps(count: number): Promise<void> {
    for (let step = 0; step < count; step += 1) this.timers.step()
    await settle()
  }

  /** A whole turn. */
  async prompt(message: string): Promise<void> {
    await this.send({ type: 'prompt', message })
    await this.finish()
  }

  closeInput(): void {
    this.#transport.closeInput()
  }

  async kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#transport.kill(signal)
    await settle()
  }
}

/** Returns the only frame of that type; fails if there are none or several. */
export function only(frames: readonly WireFrame[], type: string): WireFrame {
  const found = frames.filter(frame => frame.type === type)
  const [frame] = found
  if (!frame || found.length > 1) throw new Error(`${found.length} frames of type ${type}`)
  return frame
}
