/** The terminal of `zotui serve`: lines that are only added, and single keys. It is the only place where a device is let in. */
import type { ServeView, WaitingAsk } from '../../published/control.ts'
import { roles, type Role } from '../../published/outside-call.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import { wrap } from '../../text/lines/wrap.ts'
import { plainStyle, Styled } from '../../text/styled.ts'
import type { ConversationServer } from '../server.ts'
import { askLines, beginning, deviceLines, KEYS, linkLines, quoted, spacedNumber } from './words.ts'

/** Milliseconds in which no key answers a question that has just come: it was meant for something else. */
const QUIET = 400
const LINK = /^https?:\S+$/

export type ConsoleOptions = {
  server: Pick<ConversationServer, 'view' | 'act'>
  write: (lines: readonly Styled[]) => void
  /** The code of a link as rows; null if this terminal cannot show it, with the reason. */
  codeOf: (link: string) => { rows: readonly Styled[] } | { reason: string }
  onEnd: () => void
  columns: () => number
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds, by a clock that nobody sets. */
  elapsed: () => number
}

/** `devices`: the ids of those that were listed, since the list may change before Enter. */
type AwaitedKey = { for: 'key' | 'role' } | { for: 'device'; digits: string; devices: readonly string[] }

export class ServeConsole {
  readonly #options: ConsoleOptions
  #waiting: AwaitedKey = { for: 'key' }
  #asked: { ask: WaitingAsk; at: number } | null = null
  #link: string | null = null
  #known: ReadonlySet<string> = new Set()
  #codes: ReadonlySet<string> = new Set()
  #problem = ''

  constructor(options: ConsoleOptions) {
    this.#options = options
    const { view } = options.server
    this.#known = admitted(view())
    this.#write(beginning(view()))
    options.server.act({ do: 'pair', role: 'steer' })
    this.changed()
    this.#write([KEYS])
  }

  /** Says what has changed of the view. */
  changed(): void {
    const view = this.#options.server.view()
    this.#sayLink(view)
    this.#sayDevices(view)
    this.#sayCodes(view)
    if (view.problem !== this.#problem) {
      this.#problem = view.problem
      if (view.problem !== '') this.#write([oneLine(sanitize(view.problem))])
    }
    this.#sayAsk(view)
  }

  /** What was typed, as the terminal sent it. */
  typed(text: string): void {
    if (text === '\u0003' || text === '\u0004') return this.#options.onEnd()
    // Several characters at once are a key without a letter, or were pasted: they answer nothing.
    if (this.#asked) return text.length === 1 ? this.#answer(this.#asked, text) : undefined
    if (text.startsWith('\u001B')) return
    for (const key of text) this.#key(key)
  }

  #key(text: string): void {
    if (this.#asked) return
    if (this.#waiting.for === 'role') return this.#takeRole(text)
    if (this.#waiting.for === 'device') return this.#takeDigit(this.#waiting, text)
    this.#takeKey(text)
  }

  #answer({ ask, at }: { ask: WaitingAsk; at: number }, text: string): void {
    if (this.#options.elapsed() - at < QUIET) return
    const yes = text === 'y' || text === 'Y'
    if (!yes && text !== 'n' && text !== 'N' && text !== '\r' && text !== '\n') return
    this.#asked = null
    this.#write([yes ? 'Yes.' : 'No.'])
    this.#options.server.act({ do: 'answer', id: ask.id, yes })
    this.changed()
  }

  #takeKey(text: string): void {
    const { server, onEnd, now } = this.#options
    if (text === 'q') return onEnd()
    if (text === 'd') return this.#write(deviceLines(server.view().devices, now()))
    if (text === 'p') {
      this.#waiting = { for: 'role' }
      return this.#write([
        'What may the device do? v: watch   a: also answer   s: also send prompts   any other key: no link',
      ])
    }
    if (text === 'r') {
      const { devices } = server.view()
      if (devices.length === 0) return this.#write(deviceLines([], now()))
      this.#waiting = { for: 'device', digits: '', devices: devices.map(({ id }) => id) }
      return this.#write([...deviceLines(devices, now()), 'Which one goes? Type its number and Enter.'])
    }
    this.#write([KEYS])
  }

  #takeRole(text: string): void {
    this.#waiting = { for: 'key' }
    const role: Role | undefined = roles.find(each => each.startsWith(text))
    if (role === undefined) return this.#write(['No link was made.'])
    this.#link = null
    this.#options.server.act({ do: 'pair', role })
    this.changed()
  }

  #takeDigit({ digits, devices }: Extract<AwaitedKey, { for: 'device' }>, text: string): void {
    if (/^\d$/.test(text) && digits.length < 3) {
      this.#waiting = { for: 'device', digits: digits + text, devices }
      return
    }
    this.#waiting = { for: 'key' }
    const device = devices[Number(digits) - 1]
    if ((text !== '\r' && text !== '\n') || device === undefined) return this.#write(['No device was removed.'])
    this.#options.server.act({ do: 'revoke', device })
    this.#write([`Removed ${digits}. What it had open is closed.`])
  }

  #sayLink({ pairing, at, waiting }: ServeView): void {
    const link = pairing?.link ?? null
    if (link === this.#link) return
    this.#link = link
    if (!pairing) {
      if (!waiting.some(({ kind }) => kind === 'pair')) this.#write(['The link is void now. p makes a new one.'])
      return
    }
    // A code for the address of this machine would lead a phone to itself.
    if (at !== null) {
      const code = this.#options.codeOf(pairing.link)
      if ('rows' in code) this.#options.write(code.rows)
      else this.#write([code.reason])
    }
    this.#write(linkLines(pairing))
  }

  #sayDevices(view: ServeView): void {
    const known = admitted(view)
    for (const { id, name } of view.devices)
      if (known.has(id) && !this.#known.has(id)) this.#write([`${quoted(name)} is in.`])
    this.#known = known
  }

  /** Both terminals show the code of a zotui that this server was not started by. */
  #sayCodes({ publishers }: ServeView): void {
    const open = publishers.filter(({ code }) => code !== '')
    for (const { folder, code } of open)
      if (!this.#codes.has(code))
        this.#write([
          `The zotui in ${oneLine(sanitize(folder))} shows its conversations only. To let devices answer there, type /serve in it: it shows ${spacedNumber(code)}.`,
        ])
    this.#codes = new Set(open.map(({ code }) => code))
  }

  #sayAsk({ waiting, atWork }: ServeView): void {
    if (this.#asked && !waiting.some(({ id }) => id === this.#asked?.ask.id)) {
      this.#asked = null
      this.#write(['The question is over.'])
    }
    const [next] = waiting
    if (this.#asked || !next) return
    this.#waiting = { for: 'key' }
    this.#asked = { ask: next, at: this.#options.elapsed() }
    this.#write(askLines(next, atWork))
  }

  #write(lines: readonly string[]): void {
    const { write, columns } = this.#options
    // A link that is wrapped here could not be opened by a click.
    const rows = lines.flatMap(line => (LINK.test(line) ? [sanitize(line)] : wrap(sanitize(line), columns())))
    write(rows.map(text => Styled.of([{ text, style: plainStyle }])))
  }
}

function admitted({ devices }: ServeView): ReadonlySet<string> {
  return new Set(devices.flatMap(({ id, isAdmitted }) => (isAdmitted ? [id] : [])))
}
