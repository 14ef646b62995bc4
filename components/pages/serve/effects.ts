/** What /serve does beyond moving: it follows the server, and passes on what the person decides. */
import type { PageParts, ServePageRequest } from '../../../src/app/pages/pages.ts'
import { roles } from '../../../src/published/outside-call.ts'
import { AnswerQuiet, TOO_SOON } from '../answer-quiet.ts'
import type { OpenPage, PageEffects } from '../page.ts'
import type { AskItem } from './items.ts'
import { viewOf } from './items.ts'
import type { ServeReading } from './reading.ts'
import type { ServeState, ServeWork } from './state.ts'

/** Milliseconds between two looks at the clock while a link expires. */
const TICK = 1000

export function serveEffects(
  page: OpenPage<ServeState, ServeReading>,
  { context, clipboard }: PageParts,
  { server }: ServePageRequest,
): PageEffects<ServeWork> {
  const { hint } = context
  let ticking: NodeJS.Timeout | undefined
  const quiet = new AnswerQuiet(key => page.set({ ...page.state(), armed: key }))
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
      if (!quiet.isFor(page.shown().ask?.key ?? null)) disarm()
      return false
    },
    closed() {
      unsubscribe()
      quiet.end()
      clearInterval(ticking)
    },
  }

  function follow(): void {
    page.set({ ...page.state(), server: server.state(), now: context.now() })
    if (hasLink()) ticking ??= setInterval(tick, TICK)
    if (!quiet.isFor(page.reading().ask?.key ?? null)) disarm()
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

  /** The question takes no answer until the keys have been quiet again. */
  function disarm(): void {
    if (page.state().armed !== null) page.set({ ...page.state(), armed: null })
    quiet.begin(page.reading().ask?.key ?? null)
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
