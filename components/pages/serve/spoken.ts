/** /serve for people who use a screen reader: what there is, printed, and a list of what can be done. */
import type { PageParts, ServePageRequest } from '../../../src/app/pages/pages.ts'
import { roles } from '../../../src/published/outside-call.ts'
import { counted } from '../../../src/text/counted.ts'
import { askWords, numberOf, roleWords, serveItems, viewOf, yesWords, type ServeItem } from './items.ts'
import { grouped } from './digits.ts'

/** Milliseconds in which a server that starts is waited for, before what there is is printed. */
const PATIENCE = 5000

export function askAboutServer(request: ServePageRequest, parts: PageParts): void {
  const { server } = request
  if (server.state().phase !== 'starting') return tell(request, parts)
  let isTold = false
  const once = (): void => {
    if (isTold || server.state().phase === 'starting') return
    isTold = true
    unsubscribe()
    clearTimeout(late)
    tell(request, parts)
  }
  const unsubscribe = server.subscribe(once)
  const late = setTimeout(() => {
    unsubscribe()
    if (!isTold) parts.context.hint('The server still starts. /serve says more later.')
  }, PATIENCE)
}

function tell({ server }: ServePageRequest, { context, choicePrompt, clipboard }: PageParts): void {
  const state = server.state()
  const view = viewOf(state)
  const items = serveItems({ server: state }, context.state().serveAsks)
  context.addProgramNotice('info', [placeWords(), ...items.map(itemWords)].filter(words => words !== '').join('\n'))
  const [first] = items.flatMap(item => (item.kind === 'ask' ? [item] : []))
  if (first) return askFirst(first.asked)
  choicePrompt.ask({
    title: 'serve',
    answers: [
      { label: 'close this list', detail: 'the server goes on', run: () => undefined },
      ...(view?.pairing
        ? [{ label: 'copy the link', detail: 'for one device', run: () => void copyLink(view.pairing?.link ?? '') }]
        : []),
      ...(view
        ? roles.map(role => ({
            label: `a new link for a device that ${roleWords[role]}`,
            detail: 'the former one is void',
            run: () => server.act({ do: 'pair', role }),
          }))
        : [{ label: 'start the server', detail: '', run: () => server.startAgain() }]),
      ...(view?.devices ?? []).map(({ id, name }) => ({
        label: `forget ${name}`,
        detail: 'its connections end at once',
        run: () => server.act({ do: 'revoke', device: id }),
      })),
      ...(view ? [{ label: 'end the server', detail: '', run: () => server.stop() }] : []),
    ],
  })

  async function copyLink(link: string): Promise<void> {
    context.hint(await clipboard.copy(link, 'the link for a device'))
  }

  function askFirst(asked: Parameters<typeof askWords>[0]): void {
    const answer = (isYes: boolean): void => {
      if (asked.from === 'own') context.serving?.answer(asked.ask.id, isYes)
      else server.act({ do: 'answer', id: asked.ask.id, yes: isYes })
    }
    const number = numberOf(asked)
    choicePrompt.ask({
      title: `${askWords(asked)} ${number === '' ? '' : `The number is ${grouped(number)}. `}${yesWords(asked)}`,
      answers: [
        { label: 'no', detail: '', run: () => answer(false) },
        { label: 'yes', detail: '', run: () => answer(true) },
      ],
    })
  }

  function placeWords(): string {
    if (state.phase === 'off') return 'No server runs.'
    if (state.phase === 'failed') return `${state.message} ${state.hint}`.trim()
    if (!view) return 'The server starts.'
    const link = view.pairing
    const left = link ? Math.max(0, Math.round((link.expiresAt - context.now()) / 1000)) : 0
    return [
      `The server is at ${view.at ?? view.address}.`,
      view.problem,
      link ? `For one device, which ${roleWords[link.role]}, ${left} seconds from now: ${link.link}` : '',
    ]
      .filter(words => words !== '')
      .join('\n')
  }
}

function itemWords(item: ServeItem): string {
  switch (item.kind) {
    case 'ask':
      return ''
    case 'device':
      return `${item.device.name} ${roleWords[item.device.role]}${item.device.isWatching ? ' and watches now' : ''}.`
    case 'publisher':
      return `${item.publisher.folder}: ${counted(item.publisher.conversations, 'conversation')}.`
    case 'tunnel':
      return `From elsewhere with ${item.tunnel.name}: ${item.tunnel.command}`
    case 'share':
      return `Shared to read: ${item.share.title}, ${counted(item.share.readers, 'reader')}.`
  }
}
