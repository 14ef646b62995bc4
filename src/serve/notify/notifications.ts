/** Notifies the person who is away: watches the conversations of the server, and sends what is due in each of the ways that are set up. */
import type { Timers } from '../../platform/timers.ts'
import { askProgram } from '../../platform/shell/ask-program.ts'
import { toJson } from '../../text/json.ts'
import { DueNotices, type NotifiedConversation } from './due-notices.ts'
import { messageOf, type NotificationMessage } from './message.ts'
import { readNtfyUrl, sendToNtfy } from './ntfy.ts'
import type { PostWay } from './post.ts'
import type { WebPush } from './web-push.ts'

/** The settings of the person. A project sets none of them. */
export type NotifySettings = {
  serveNotifyAfter: number
  serveNotifyContent: boolean
  /** A line for the person's shell; null for none. */
  serveNotifyCommand: string | null
  ntfyUrl: string | null
}

export type NotificationsOptions = {
  settings: () => NotifySettings
  webPush: Pick<WebPush, 'send'>
  /** The address of the page for devices that are away, without a path; null for none. */
  at: string | null
  way: Omit<PostWay, 'rules'>
  /** The environment and folder for the person's command. */
  env: NodeJS.ProcessEnv
  folder: string
  /** Milliseconds since the Unix epoch. */
  now: () => number
  timers: Timers
  /** One line for the person at the server, unsanitised. */
  onProblem: (words: string) => void
}

/** Milliseconds for the person's command. */
const COMMAND_TIME = 10_000
const COMMAND_OUTPUT = 100_000

export class Notifications {
  readonly #options: NotificationsOptions
  readonly #due = new DueNotices()
  readonly #ending = new AbortController()
  #cancel: (() => void) | null = null
  /** Messages go one after the other, so that a slow way is asked once at a time. */
  #sending: Promise<void> = Promise.resolve()

  constructor(options: NotificationsOptions) {
    this.#options = options
  }

  /** Takes all conversations, whenever one of them has changed. */
  see(conversations: readonly NotifiedConversation[]): void {
    if (this.#ending.signal.aborted) return
    this.#due.see(conversations, this.#options.now(), this.#patience())
    this.#send()
  }

  close(): void {
    this.#ending.abort()
    this.#cancel?.()
  }

  #patience(): number {
    return this.#options.settings().serveNotifyAfter * 1000
  }

  #send(): void {
    const { now, timers, settings } = this.#options
    this.#cancel?.()
    this.#cancel = null
    for (const notice of this.#due.take(now(), this.#patience())) {
      const message = messageOf(notice, settings().serveNotifyContent)
      this.#sending = this.#sending.then(() => this.#sendOne(message))
    }
    const next = this.#due.nextAt(this.#patience())
    if (next !== null) this.#cancel = timers.after(Math.max(1, next - now()), () => this.#send())
  }

  async #sendOne(message: NotificationMessage): Promise<void> {
    if (this.#ending.signal.aborted) return
    const { webPush, onProblem } = this.#options
    const problems = await Promise.all([webPush.send(message), this.#toNtfy(message), this.#toCommand(message)])
    for (const problem of problems.flat()) if (problem !== '' && !this.#ending.signal.aborted) onProblem(problem)
  }

  async #toNtfy(message: NotificationMessage): Promise<string> {
    const { settings, way, env } = this.#options
    const { ntfyUrl } = settings()
    if (ntfyUrl === null) return ''
    const topic = readNtfyUrl(ntfyUrl)
    if ('problem' in topic) return topic.problem
    return sendToNtfy(topic, { message, link: this.#link(message), token: env['NTFY_TOKEN'] ?? '' }, way)
  }

  /** What others wrote is on its input only, and not in the line. */
  async #toCommand(message: NotificationMessage): Promise<string> {
    const { settings, env, folder } = this.#options
    const { serveNotifyCommand: command } = settings()
    if (command === null) return ''
    const input = `${toJson({ ...message, link: this.#link(message) })}\n`
    const limits = { timeout: COMMAND_TIME, limitBytes: COMMAND_OUTPUT }
    const end = await askProgram({ ...limits, command, input, cwd: folder, env, signal: this.#ending.signal })
    return end.ok ? '' : `The command of serveNotifyCommand ${end.problem}.`
  }

  /** It opens the page at that question. It has no secret: a device has to be paired. */
  #link({ place }: NotificationMessage): string {
    const { at } = this.#options
    return at === null ? '' : `${at}/${place}`
  }
}
