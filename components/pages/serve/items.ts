/** What /serve lists, in order: what waits for the person, devices, processes, ways in from elsewhere, shares. */
import type { KnownDevice, ServeView, WaitingAsk } from '../../../src/published/control.ts'
import type { Role } from '../../../src/published/outside-call.ts'
import type { ServeAsk } from '../../../src/state/serve-ask.ts'
import type { ServeState } from './state.ts'

/** A question to the person. `own` ones come from this zotui, the others from its server. */
export type ShownAsk = { from: 'server'; ask: WaitingAsk } | { from: 'own'; ask: ServeAsk }

export type ServeItem = { key: string } & (
  | { kind: 'ask'; asked: ShownAsk }
  | { kind: 'device'; device: KnownDevice }
  | { kind: 'publisher'; publisher: ServeView['publishers'][number] }
  | { kind: 'tunnel'; tunnel: ServeView['tunnels'][number] }
  | { kind: 'share'; share: ServeView['shares'][number] }
)

export type AskItem = Extract<ServeItem, { kind: 'ask' }>

export function serveItems({ server }: Pick<ServeState, 'server'>, own: readonly ServeAsk[]): ServeItem[] {
  const view = viewOf(server)
  const items: ServeItem[] = [
    ...(view?.waiting ?? []).map((ask): ServeItem => asItem({ from: 'server', ask })),
    ...own.map((ask): ServeItem => asItem({ from: 'own', ask })),
    ...(view?.devices ?? []).map((device): ServeItem => ({ key: `device ${device.id}`, kind: 'device', device })),
    ...(view?.publishers ?? []).map((publisher): ServeItem => ({
      key: `publisher ${publisher.id}`,
      kind: 'publisher',
      publisher,
    })),
    ...(view?.tunnels ?? []).map((tunnel): ServeItem => ({ key: `tunnel ${tunnel.name}`, kind: 'tunnel', tunnel })),
    ...(view?.shares ?? []).map((share): ServeItem => ({ key: `share ${share.id}`, kind: 'share', share })),
  ]
  return items
}

function asItem(asked: ShownAsk): ServeItem {
  return { key: `ask ${asked.from} ${asked.ask.id}`, kind: 'ask', asked }
}

export function viewOf(server: ServeState['server']): ServeView | null {
  return server.phase === 'running' ? server.view : null
}

/** The index of the selected row; -1 if there is none. */
export function selectedItem(items: readonly ServeItem[], selected: string | null): number {
  const at = items.findIndex(({ key }) => key === selected)
  return at >= 0 || items.length === 0 ? at : 0
}

/** What a yes or a no answers: the selected question, or the first. */
export function askToAnswer(items: readonly ServeItem[], selected: string | null): AskItem | null {
  const asks = items.filter(isAsk)
  return asks.find(({ key }) => key === selected) ?? asks[0] ?? null
}

function isAsk(item: ServeItem): item is AskItem {
  return item.kind === 'ask'
}

/** What a device may do, in words: `may answer`. */
export const roleWords: Readonly<Record<Role, string>> = {
  view: 'may look',
  answer: 'may answer',
  steer: 'may answer and prompt',
}

/** The number that both screens show. Empty for a question without one. */
export function numberOf({ from, ask }: ShownAsk): string {
  if (from === 'own') return ask.kind === 'trust' ? ask.code : ''
  return ask.kind === 'steer' ? '' : ask.number
}

/** The question in a sentence, unsanitised. */
export function askWords({ from, ask }: ShownAsk): string {
  if (ask.kind === 'trust' && ask.purpose === 'board')
    return `A board in another terminal (process ${ask.pid}) wants to answer questions of this zotui, to stop its turns, and to show its conversations.`
  if (ask.kind === 'trust')
    return `A server for browsers that this zotui has not started (process ${ask.pid}) wants to pass on answers and prompts.`
  if (ask.kind === 'steer') {
    const name = from === 'own' ? ask.device : ask.name
    return `${name} wants to send prompts to "${ask.title}", which runs without asking (mode ${ask.mode}).`
  }
  const may = roleWords[ask.role]
  return ask.kind === 'pair'
    ? `${ask.name} wants to be paired; it ${may}.`
    : `${ask.name}, paired earlier, wants in again; it ${may}.`
}

/** What a yes says, and to look at before it. */
export function yesWords({ ask }: ShownAsk): string {
  switch (ask.kind) {
    case 'pair':
    case 'admit':
      return 'Yes only if the device shows the same number.'
    case 'trust':
      return `Yes only if ${ask.purpose === 'board' ? 'the board there' : 'the terminal of that server'} shows the same number.`
    case 'steer':
      return 'A yes holds for this device and this conversation until the server ends.'
  }
}
