/**
 * The transcript: a window of at most 300 blocks onto a conversation of any length. It follows the end for as long as the reader is there, and
 * stays where it is otherwise.
 */
import type { PlacedBlock, ServedRequests } from '../page-lines.ts'
import { button, element, KeyedElements, setAttribute } from './dom.ts'
import { morph, parsedHtml } from './fragment.ts'
import type { WatchedBlocks } from './page-state.ts'

/** Blocks on the page, blocks that are added at an edge, and blocks of a new window. */
const MOST = 300
const STEP = 60
const FRESH = 120
/** Blocks of a request. */
const ASKED = 120
/** Pixels from the end at which somebody is at the end. */
const NEAR = 80

type BlocksReply = ServedRequests['blocks'][1]
type InsideReply = ServedRequests['inside'][1]

export type TranscriptParts = {
  blocks: (conversation: string, from: number, to: number) => Promise<BlocksReply>
  inside: (conversation: string, block: string, piece: number) => Promise<InsideReply>
  problem: (sentence: string) => void
}

export class BlockWindow {
  readonly #list = element('div', { class: 'blocks' })
  readonly #above = element('p', { class: 'edge', role: 'status' })
  readonly #scroller: HTMLElement
  readonly node: HTMLElement
  readonly #toEnd: HTMLButtonElement
  readonly #views: KeyedElements<PlacedBlock, BlockView>
  readonly #parts: TranscriptParts
  #watched: WatchedBlocks | null = null
  #first = 0
  #last = 0
  #isAtEnd = true
  /** The number of blocks when it was drawn: more may have come since. */
  #drawn = 0
  /** Where it was scrolled to. */
  #top = 0
  #asking = false

  constructor(parts: TranscriptParts) {
    this.#parts = parts
    this.#views = new KeyedElements(
      this.#list,
      ({ id }) => id,
      () => new BlockView(this.#inside),
    )
    this.#scroller = element(
      'div',
      { class: 'transcript', tabindex: '0', role: 'log', 'aria-label': 'Transcript', 'aria-live': 'off' },
      this.#above,
      this.#list,
    )
    this.#toEnd = button('', () => this.toEnd(), { look: 'to-end round', icon: 'down', label: 'To the end' })
    this.node = element('div', { class: 'transcript-frame' }, this.#scroller, this.#toEnd)
    this.#scroller.addEventListener('scroll', () => this.#onScroll(), { passive: true })
    // A keyboard on the screen or a growing composer takes room away: who read the end still does.
    new ResizeObserver(() => {
      if (this.#isAtEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight
    }).observe(this.#scroller)
  }

  show(watched: WatchedBlocks | null): void {
    if (watched !== this.#watched) {
      this.#watched = watched
      this.#isAtEnd = true
      this.#first = 0
      this.#last = 0
    }
    const total = watched?.total ?? 0
    this.#last = Math.min(this.#last, total)
    this.#first = Math.min(this.#first, this.#last)
    if (this.#isAtEnd && watched) {
      const lowest = watched.knownFrom(total, MOST)
      const goesOn = this.#last > 0 && this.#last >= lowest
      this.#first = goesOn ? Math.max(this.#first, lowest) : watched.knownFrom(total, FRESH)
      this.#last = total
    }
    this.#draw()
  }

  toEnd(): void {
    this.#isAtEnd = true
    this.#last = 0
    this.show(this.#watched)
    this.#scroller.scrollTop = this.#scroller.scrollHeight
    this.#scroller.focus({ preventScroll: true })
  }

  async toBeginning(): Promise<void> {
    this.#isAtEnd = false
    await this.#fetch(0, ASKED)
    this.#first = 0
    this.#last = this.#watched?.knownTo(0, FRESH) ?? 0
    this.#draw()
    this.#scroller.scrollTop = 0
  }

  /** Scrolls by so many heights of the window. */
  scroll(by: number): void {
    this.#scroller.scrollBy({ top: by * this.#scroller.clientHeight })
  }

  #draw(): void {
    const watched = this.#watched
    const blocks: PlacedBlock[] = []
    for (let index = this.#first; index < this.#last; index += 1) {
      const block = watched?.at(index)
      if (block) blocks.push(block)
    }
    const anchor = this.#isAtEnd ? null : this.#anchor()
    this.#drawn = watched?.total ?? 0
    this.#views.show(blocks)
    watched?.keepAround(this.#first, this.#last)
    if (this.#isAtEnd) this.#scroller.scrollTop = this.#scroller.scrollHeight
    else if (anchor?.node.isConnected === true) {
      this.#scroller.scrollTop += anchor.node.getBoundingClientRect().top - anchor.top
    }
    this.#say()
    // What does not fill the window cannot be scrolled, so it asks for more itself.
    if (this.#isAtEnd && this.#first > 0 && this.#scroller.scrollHeight < 2 * this.#scroller.clientHeight)
      void this.#extendUp()
  }

  #say(): void {
    const watched = this.#watched
    const isEmpty = watched?.isLoaded === true && watched.total === 0
    const words = !watched?.isLoaded
      ? 'Loading…'
      : isEmpty
        ? 'Nothing has been said yet.'
        : this.#first > 0
          ? 'Loading what came before…'
          : ''
    if (this.#above.textContent !== words) this.#above.textContent = words
    this.#above.hidden = words === ''
    this.#toEnd.hidden = this.#isAtEnd
    setAttribute(this.#toEnd, 'data-new', watched !== null && this.#last < watched.total)
  }

  /** A block that can be seen, and where it is. */
  #anchor(): { node: HTMLElement; top: number } | null {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    for (const node of this.#list.children) {
      const place = node.getBoundingClientRect()
      if (node instanceof HTMLElement && place.bottom > top && place.top < bottom) return { node, top: place.top }
    }
    return null
  }

  #onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller
    const total = this.#watched?.total ?? 0
    const below = scrollHeight - scrollTop - clientHeight
    const wasAtEnd = this.#isAtEnd
    // What grows below a reader at the end does not take the end from them: only they leave it, upwards.
    if (below < NEAR && this.#last >= this.#drawn) this.#isAtEnd = true
    else if (scrollTop < this.#top) this.#isAtEnd = false
    this.#top = scrollTop
    if (scrollTop < clientHeight && this.#first > 0) void this.#extendUp()
    else if (below < clientHeight && this.#last < total) void this.#extendDown()
    if (wasAtEnd !== this.#isAtEnd) this.#say()
  }

  async #extendUp(): Promise<void> {
    const watched = this.#watched
    if (!watched || this.#asking) return
    if (watched.knownFrom(this.#first, STEP) === this.#first) await this.#fetch(this.#first - ASKED, this.#first)
    if (watched !== this.#watched) return
    this.#first = watched.knownFrom(this.#first, STEP)
    this.#last = Math.min(this.#last, this.#first + MOST)
    this.#isAtEnd &&= this.#last >= watched.total
    this.#draw()
  }

  async #extendDown(): Promise<void> {
    const watched = this.#watched
    if (!watched || this.#asking) return
    if (watched.knownTo(this.#last, STEP) === this.#last) await this.#fetch(this.#last, this.#last + ASKED)
    if (watched !== this.#watched) return
    this.#last = watched.knownTo(this.#last, STEP)
    this.#first = Math.max(this.#first, this.#last - MOST)
    this.#draw()
  }

  async #fetch(from: number, to: number): Promise<void> {
    const watched = this.#watched
    if (!watched || this.#asking) return
    this.#asking = true
    try {
      const { n, total, blocks } = await this.#parts.blocks(watched.id, Math.max(0, from), to)
      watched.add(n, total, blocks)
    } catch {
      this.#parts.problem('That part of the conversation did not come. Scroll again to try once more.')
    } finally {
      this.#asking = false
    }
  }

  readonly #inside = async (block: string, piece: number): Promise<InsideReply | null> => {
    try {
      return this.#watched && (await this.#parts.inside(this.#watched.id, block, piece))
    } catch {
      this.#parts.problem('The rest did not come. Try it again.')
      return null
    }
  }
}

class BlockView {
  readonly node = element('div', { class: 'block' })
  readonly #inside: (block: string, piece: number) => Promise<InsideReply | null>
  #id = ''
  #version = -1

  constructor(inside: (block: string, piece: number) => Promise<InsideReply | null>) {
    this.#inside = inside
    this.node.addEventListener('click', event => {
      const more = event.target instanceof Element ? event.target.closest<HTMLButtonElement>('button[data-rest]') : null
      if (more) void this.#showRest(more)
    })
  }

  show({ id, version, html }: PlacedBlock): void {
    this.#id = id
    if (version === this.#version) return
    this.#version = version
    const { content } = parsedHtml(html)
    if (this.node.firstChild) morph(this.node, content)
    else this.node.append(content)
    reachable(this.node)
  }

  /** Puts the next piece in front of the button, and leaves the button while there is more. */
  async #showRest(more: HTMLButtonElement): Promise<void> {
    if (more.disabled) return
    more.disabled = true
    const reply = await this.#inside(this.#id, Number(more.dataset['rest']))
    more.disabled = false
    if (!reply || !more.isConnected) return
    const { content } = parsedHtml(reply.html)
    more.before(content)
    if (reply.next === null) more.remove()
    else {
      more.dataset['rest'] = String(reply.next)
      more.textContent = 'more'
    }
  }
}

/** Lets the keyboard reach a table that is wider than the page. */
const scrollers = new ResizeObserver(changed => {
  for (const { target } of changed) {
    const isWide = target.scrollWidth > target.clientWidth
    setAttribute(target, 'tabindex', isWide ? '0' : null)
    setAttribute(target, 'role', isWide ? 'group' : null)
    setAttribute(target, 'aria-label', isWide ? 'A wide table' : null)
  }
})

function reachable(node: HTMLElement): void {
  for (const table of node.querySelectorAll('.table')) scrollers.observe(table)
}
