/** The page of a device that is let in: the list, the conversation that is open, and what is between them and the server. */
import { createAnnouncer } from './announcer.ts'
import { createCalls } from './calls.ts'
import { StreamConnection } from './stream-connection.ts'
import { connectionBanner } from './connection-banner.ts'
import { ConversationList, conversationHash, inOrder } from './conversation-list.ts'
import { ConversationView } from './conversation-view.ts'
import { deviceMenu } from './device-menu.ts'
import { button, element, setAttribute } from './dom.ts'
import { forgetDevice, forgetShare, type Identity } from './identity.ts'
import { renewSubscription } from './notifications.ts'
import { listenToKeys } from './page-keys.ts'
import { PageState } from './page-state.ts'
import { waitForYes } from './pairing.ts'
import { plainPage } from './plain-page.ts'
import { RequestSigner } from './requests.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 1000

export function openPage(root: HTMLElement, identity: Identity): void {
  new DevicePage(root, identity).begin()
}

class DevicePage {
  readonly #root: HTMLElement
  readonly #identity: Identity
  readonly #state = new PageState()
  readonly #requests: RequestSigner
  readonly #connection: StreamConnection
  readonly #announcer = createAnnouncer()
  readonly #list = new ConversationList()
  readonly #view: ConversationView
  readonly #banner = connectionBanner(() => this.#connection.again())
  readonly #frame: HTMLElement
  #open: string | null = null
  /** The session of the conversation that is open: another server lists it by another id. */
  #session: string | null = null
  /** The question that the address asks to open. */
  #wanted: string | null = null
  #isDrawing = false
  /** The server that has the subscription of this browser. */
  #epoch = ''
  #isWaiting = false
  #announced = new Set<string>()

  constructor(root: HTMLElement, identity: Identity) {
    this.#root = root
    this.#identity = identity
    this.#requests = new RequestSigner(identity)
    const { say } = this.#announcer
    const calls = createCalls(this.#requests)
    this.#view = new ConversationView({
      blocks: async (conversation, from, to) => this.#requests.ask('blocks', { conversation, from, to }),
      inside: async (conversation, block, piece) => this.#requests.ask('inside', { conversation, block, piece }),
      problem: sentence => say(sentence, true),
      ask: calls.ask,
      say,
      onBack: () => this.#go('#/'),
      onQuestion: isOpen => setAttribute(this.#frame, 'data-question', isOpen),
    })
    this.#connection = new StreamConnection({
      requests: this.#requests,
      state: this.#state,
      onChange: line => {
        if (line?.type === 'questions') this.#announce(line.conversation)
        if (line?.type === 'hello') this.#greet(line.epoch)
        this.#changed()
      },
    })
    const menu = button('', () => this.#showMenu(), { look: 'plain', icon: 'device', label: 'This device' })
    const side = element(
      'div',
      { class: 'side' },
      element(
        'header',
        { class: 'head' },
        element('img', { src: '/icon.svg', alt: '', class: 'logo' }),
        element('h1', { class: 'brand' }, 'zotui'),
        menu,
      ),
      this.#list.node,
    )
    this.#frame = element('main', { class: 'frame', 'data-share': identity.kind === 'share' }, side, this.#view.node)
  }

  /** Another server knows nothing of the notifications of this browser. */
  #greet(epoch: string): void {
    if (this.#identity.kind === 'share' || epoch === this.#epoch) return
    this.#epoch = epoch
    // The next server is asked again.
    renewSubscription(this.#requests).catch(() => null)
  }

  begin(): void {
    const { say } = this.#announcer
    this.#place()
    addEventListener('hashchange', () => this.#route())
    setInterval(() => this.#view.tick(this.#state, this.#now()), TICK)
    setInterval(() => this.#draw(), 30 * TICK)
    listenToKeys({
      list: this.#list,
      view: this.#view,
      isOpen: () => this.#open !== null,
      toList: () => this.#go('#/'),
      openNext: by => this.#openNext(by),
      menu: () => this.#showMenu(),
    })
    navigator.serviceWorker?.addEventListener('message', ({ data }) => {
      if (typeof data === 'string' && data.startsWith('#/c/')) this.#go(data)
    })
    if (this.#identity.kind === 'share') say('You read along.')
    this.#route()
  }

  #place(): void {
    this.#root.replaceChildren(this.#banner.node, this.#frame, this.#announcer.node)
  }

  #now(): number {
    return Date.now() + this.#state.ahead
  }

  #go(hash: string): void {
    if (location.hash === hash) this.#route()
    else location.hash = hash
  }

  /** `#/c/ID`, or `#/c/ID/q/QUESTION`, which opens the question. */
  #route(): void {
    const [, id = null, question = null] = /^#\/c\/([^/]+)(?:\/q\/([^/]+))?$/.exec(location.hash) ?? []
    const open = id === null ? null : decodeURIComponent(id)
    this.#wanted = question === null ? null : decodeURIComponent(question)
    const before = this.#open
    this.#open = open
    this.#session = (open !== null && this.#state.conversation(open)?.session) || null
    this.#state.watch(open)
    this.#connection.again()
    setAttribute(this.#frame, 'data-open', open !== null)
    this.#draw()
    if (open !== null) this.#view.focusTitle()
    else if (before !== null) this.#list.focus(before)
  }

  #openNext(by: number): void {
    const all = inOrder(this.#state.conversations)
    const at = all.findIndex(({ id }) => id === this.#open)
    const next = all[Math.min(all.length - 1, Math.max(0, at + by))]
    if (next) this.#go(conversationHash(next.id))
  }

  /** Draws once for all that comes in a frame. A page that nobody sees draws, too: its title counts. */
  #changed(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    const draw = (): void => {
      this.#isDrawing = false
      this.#draw()
    }
    if (document.visibilityState === 'visible') requestAnimationFrame(draw)
    else setTimeout(draw, 200)
  }

  #draw(): void {
    const { stage, message } = this.#connection
    if (stage === 'gone') return void this.#gone()
    if (stage === 'waits') return void this.#wait()
    this.#follow()
    this.#openShared()
    const now = this.#now()
    const { conversations, isListed } = this.#state
    this.#list.show({
      conversations,
      isListed,
      open: this.#open,
      asks: id => this.#state.questionsOf(id)[0]?.title,
      now,
    })
    this.#view.show(this.#state, this.#open, now)
    this.#banner.show({ stage, message, nextAt: this.#connection.nextAt, isFirst: !isListed })
    this.#showCount()
    if (this.#wanted !== null && this.#open !== null) this.#openWanted(this.#open, this.#wanted)
  }

  /** Finds the open conversation again after its server or its process has started anew. */
  #follow(): void {
    if (this.#open === null || !this.#state.isListed) return
    const listed = this.#state.conversation(this.#open)
    if (listed) {
      this.#session = listed.session
      return
    }
    const other = this.#state.conversations.find(each => each.session !== null && each.session === this.#session)
    if (other) history.replaceState(null, '', conversationHash(other.id))
    if (other) this.#route()
  }

  /** A reader of a share has one conversation and no list. */
  #openShared(): void {
    const [only] = this.#state.conversations
    if (this.#identity.kind === 'share' && this.#open === null && only) this.#go(conversationHash(only.id))
  }

  #openWanted(id: string, wanted: string): void {
    // The first is answered first. One that has gone opens nothing.
    if (!this.#state.questionsOf(id).some(question => question.id === wanted)) return
    this.#wanted = null
    this.#view.question.setOpen(true)
  }

  #showCount(): void {
    const count = this.#state.conversations.reduce((sum, { questions, isThere }) => sum + (isThere ? questions : 0), 0)
    const title = (this.#open === null ? null : this.#state.conversation(this.#open)?.title) ?? ''
    document.title = `${count > 0 ? `(${count}) ` : ''}${title === '' ? '' : `${title} · `}zotui`
    if (!('setAppBadge' in navigator)) return
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => null)
  }

  #announce(conversation: string): void {
    for (const { id, title } of this.#state.questionsOf(conversation)) {
      const key = `${conversation} ${id}`
      if (this.#announced.has(key)) continue
      this.#announced.add(key)
      const where = this.#state.conversation(conversation)?.title ?? ''
      this.#announcer.whisper(`A question waits${where === '' ? '' : ` in ${where}`}: ${title}`)
    }
  }

  async #wait(): Promise<void> {
    if (this.#isWaiting) return
    this.#isWaiting = true
    try {
      await waitForYes(this.#root, this.#identity)
      this.#isWaiting = false
      this.#place()
      this.#connection.again()
    } catch {
      this.#connection.end()
    }
  }

  async #gone(): Promise<void> {
    const isShare = this.#identity.kind === 'share'
    if (isShare) forgetShare()
    else await forgetDevice()
    plainPage(this.#root, {
      title: isShare ? 'This link has ended' : 'Not paired any more',
      sentences: [
        isShare
          ? 'Its time is over, or the person who made it has ended it.'
          : 'The person at the terminal has removed this device. A new link is made there: press p in `zotui serve`, or open /serve.',
      ],
    })
  }

  #showMenu(): void {
    deviceMenu({
      device: this.#state.device,
      isShare: this.#identity.kind === 'share',
      requests: this.#requests,
      say: this.#announcer.say,
      onLeave: () => this.#connection.end(),
    })
  }
}
