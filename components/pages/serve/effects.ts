/** What /serve does beyond moving: it follows the server, and passes on what the person decides. */
import type { PageParts, ServePageRequest } from '../../../src/app/pages/pages.ts'
import { roles } from '../../../src/published/outside-call.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import { TOO_SOON } from '../too-soon.ts'
import type { AskItem } from './items.ts'
import { viewOf } from './items.ts'
import type { ServeReading } from './reading.ts'
import type { ServeState, ServeWork } from './state.ts'

/** Milliseconds without a key before a yes or a no counts, as at any question: keys before it were meant for something else. */
const QUIET = 400
/** Milliseconds between two looks at the clock while a link expires. */
const TICK = 1000

export function serveEffects(
  page: OpenPage<ServeState, ServeReading>,
  { context, clipboard }: PageParts,
  { server }: ServePageRequest,
): PageEffects<ServeWork> {
  const { hint } = context
  let quiet: NodeJS.Timeout | undefined
  let ticking: NodeJS.Timeout | undefined
  /** The question for which the quiet was begun. */
  let awaited: string | null = null
  const unsubscribe = server.subscribe(follow)

  return {
    works: {
      yes: () => answer(true),
      no: () => answer(false),
      link: () => newLink(viewOf(server.state())?.pairing?.role ?? 'steer'),
      next_role: () => newLink(nextOf(viewOf(server.state())?.pairing?.role ?? 'answer')),
      change_role: changeRole,
      copy: () => void copy(),
      start: () => server.startAgain(),
    },
    opened: follow,
    moved: disarm,
    work() {
      // A question of this zotui comes with the state of the program.
      if ((page.shown().ask?.key ?? null) !== awaited) disarm()
      return false
    },
    closed() {
      unsubscribe()
      clearTimeout(quiet)
      clearInterval(ticking)
    },
  }

  function follow(): void {
    page.set({ ...page.state(), server: server.state(), now: context.now() })
    if (hasLink()) ticking ??= setInterval(tick, TICK)
    if ((page.reading().ask?.key ?? null) !== awaited) disarm()
  }

  function hasLink(): boolean {
    return (viewOf(server.state())?.pairing ?? null) !== null
  }

  function tick(): void {
    if (!hasLink()) {
      clearInterval(ticking)
      ticking = undefined
    }
    page.set({ ...page.state(), now: context.now() })
  }

  /** A yes or no counts after a moment without keys, in which the question stays the same. */
  function disarm(): void {
    clearTimeout(quiet)
    awaited = page.reading().ask?.key ?? null
    if (page.state().armed !== null) page.set({ ...page.state(), armed: null })
    if (awaited !== null) quiet = setTimeout(() => page.set({ ...page.state(), armed: awaited }), QUIET)
  }

  function answer(isYes: boolean): void {
    const { doubt, armed } = page.state()
    if (doubt !== null) {
      if (isYes) settle(doubt)
      return page.set({ ...page.state(), doubt: null })
    }
    const { ask } = page.reading()
    if (ask === null) hint('Nothing is asked here.')
    else if (ask.key === armed) give(ask, isYes)
    else hint(TOO_SOON)
    disarm()
  }

  function give({ asked }: AskItem, isYes: boolean): void {
    if (asked.from === 'own') context.serving?.answer(asked.ask.id, isYes)
    else server.act({ do: 'answer', id: asked.ask.id, yes: isYes })
  }

  function settle(doubt: NonNullable<ServeState['doubt']>): void {
    if (doubt.kind === 'off') server.stop()
    else if (doubt.kind === 'revoke') server.act({ do: 'revoke', device: doubt.id })
    else server.act({ do: 'end_share', share: doubt.id })
  }

  function newLink(role: (typeof roles)[number]): void {
    if (!viewOf(server.state())) return hint('No server runs.')
    server.act({ do: 'pair', role })
  }

  function changeRole(): void {
    const { items, selected } = page.reading()
    const item = items[selected]
    if (item?.kind !== 'device') return hint('Select a device first.')
    server.act({ do: 'set_role', device: item.device.id, role: nextOf(item.device.role) })
  }

  async function copy(): Promise<void> {
    const { items, selected } = page.reading()
    const item = items[selected]
    const link = viewOf(server.state())?.pairing?.link ?? ''
    const [text, what] =
      item?.kind === 'tunnel'
        ? [item.tunnel.command, 'the command']
        : item?.kind === 'share'
          ? [item.share.link, 'the link of the share']
          : [link, 'the link for a device']
    if (text === '') return hint('There is no link: it has expired, or was used.')
    hint(await clipboard.copy(text, what))
  }
}

/** View, answer, steer, and view again. */
function nextOf(role: (typeof roles)[number]): (typeof roles)[number] {
  return roles[(roles.indexOf(role) + 1) % roles.length] ?? role
}
