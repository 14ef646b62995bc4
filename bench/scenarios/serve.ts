/** Five devices look at a full stream while somebody types in the terminal, compared with the same without a server. */
import { freePort } from '../../test/helpers/free-port.ts'
import type { PageLine } from '../../src/serve/page-lines.ts'
import { TestDevice } from '../../test/serve/client.ts'
import { now } from '../clock.ts'
import { MEGABYTE, timeFigures, type Figure } from '../figures.ts'
import type { Play } from '../play.ts'
import type { Program } from '../program.ts'
import type { Stage } from '../stage.ts'
import { makeAnswer, markPattern } from '../text.ts'
import { damageFigures, playAnswer, type Turn } from '../turn.ts'

const VIEWERS = 5
const DELTAS = 1000
const RATE = 200

/** The least that such a server is: Node with its server for HTTP and its check of signatures. */
const BARE = `
  require('node:http').createServer().listen(0, '127.0.0.1')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  void crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']).then(async ({ privateKey, publicKey }) => {
    const text = Buffer.from('text')
    await crypto.subtle.verify(algorithm, publicKey, await crypto.subtle.sign(algorithm, privateKey, text), text)
  })`

const play = (turn: number): Play => ({ kind: 'answer', count: DELTAS, rate: RATE, turn })

export async function serve(stage: Stage): Promise<Figure[]> {
  const ui = stage.open()
  await ui.ready()
  await playAnswer(ui, play(0))
  const alone = await playAnswer(ui, play(1))
  const bare = stage.node(['-e', BARE])
  const server = stage.command(['serve', '--port', String(await freePort())])
  const devices: TestDevice[] = []
  for (let each = 0; each < VIEWERS; each += 1) devices.push(await pair(server, each))
  const first = await Viewer.of(devices.slice(0, 1))
  await playAnswer(ui, play(2))
  const one = server.usage()
  const viewers = [...first, ...(await Viewer.of(devices.slice(1)))]
  const turn = 3
  const started = server.usage().cpu
  for (const viewer of viewers) viewer.follow(turn)
  const watched = await playAnswer(ui, play(turn))
  const all = server.usage()
  const figures = [
    ...timeFigures('echo', watched.echoes, alone.echoes),
    ...timeFigures('lag', watched.lags, alone.lags),
    ...timeFigures(
      'lag on the page',
      viewers.flatMap(viewer => viewer.lags(watched)),
      watched.lags,
    ),
    { name: 'marks lost on a page', unit: 'count', value: viewers.reduce((sum, viewer) => sum + viewer.lost(turn), 0) },
    { name: 'bytes / source, a page', unit: 'ratio', value: bytesOf(viewers) / viewers.length / watched.sourceBytes },
    { name: 'CPU', unit: 's', value: watched.cpu, floor: alone.cpu },
    { name: "server's CPU", unit: 's', value: all.cpu - started, floor: watched.cpu },
    { name: "server's memory", unit: 'MB', value: one.peakMemory / MEGABYTE, floor: bare.usage().memory / MEGABYTE },
    { name: 'memory a viewer', unit: 'MB', value: (all.peakMemory - one.peakMemory) / (VIEWERS - 1) / MEGABYTE },
    ...damageFigures(ui.terminal, [0, 1, 2, turn].map(play)),
  ] satisfies Figure[]
  await Promise.all([ui.end(), server.end(), bare.end()])
  return figures
}

/** Pairs a device, as the person at the terminal of the server does. */
async function pair(server: Program, index: number): Promise<TestDevice> {
  const link = (): string | undefined => {
    const text = server.terminal.history().join('\n')
    return [...text.matchAll(/http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]+/g)][index]?.[0]
  }
  if (index > 0) {
    server.write('p')
    await server.until(
      'the roles',
      () => server.terminal.history().filter(line => line.includes('may the device')).length >= index,
    )
    server.write('s')
  }
  await server.until('a link', () => link() !== undefined)
  const address = link() ?? ''
  const device = new TestDevice(new URL(address).origin)
  const name = `viewer ${index}`
  await device.useLink(address, name)
  // No key answers a question that has just come.
  await server.until('the device to be in', () => {
    server.write('y')
    return server.terminal.history().some(line => line.includes(`"${name}" is in`))
  })
  await device.hello()
  return device
}

const bytesOf = (viewers: readonly Viewer[]): number => viewers.reduce((sum, { bytes }) => sum + bytes, 0)

/** One that looks at the only conversation, and notes when each mark came. */
class Viewer {
  readonly #device: TestDevice
  #before = 0
  readonly #seen = new Map<string, number>()
  #marks: ReadonlySet<string> = new Set()

  private constructor(device: TestDevice) {
    this.#device = device
  }

  static async of(devices: readonly TestDevice[]): Promise<Viewer[]> {
    return Promise.all(
      devices.map(async device => {
        const viewer = new Viewer(device)
        const conversation = await conversationOf(device)
        void viewer.#read(device, conversation)
        return viewer
      }),
    )
  }

  /** From now on it is about the marks of this turn. */
  follow(turn: number): void {
    this.#marks = new Set(makeAnswer(DELTAS, turn).marks.keys())
    this.#before = this.#device.received
  }

  /** Bytes since then. */
  get bytes(): number {
    return this.#device.received - this.#before
  }

  lags({ report }: Turn): number[] {
    const { marks } = makeAnswer(DELTAS, 3)
    return [...this.#seen].flatMap(([mark, at]) => {
      const sent = report.sent[marks.get(mark) ?? -1]
      return sent === undefined ? [] : [at - report.began - sent]
    })
  }

  lost(turn: number): number {
    return [...makeAnswer(DELTAS, turn).marks.keys()].filter(mark => !this.#seen.has(mark)).length
  }

  async #read(device: TestDevice, watch: string): Promise<void> {
    for await (const line of device.stream(watch)) {
      const at = now()
      const text = JSON.stringify(line)
      for (const [mark] of text.matchAll(markPattern))
        if (this.#marks.has(mark) && !this.#seen.has(mark)) this.#seen.set(mark, at)
    }
  }
}

async function conversationOf(device: TestDevice): Promise<string> {
  for await (const line of device.stream()) {
    const id = firstOf(line)
    if (id !== null) return id
  }
  throw new Error('the server has no conversation')
}

function firstOf(line: PageLine): string | null {
  return line.type === 'conversations' ? (line.conversations[0]?.id ?? null) : null
}
