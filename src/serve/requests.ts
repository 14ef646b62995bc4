/** What devices and readers of shares may ask of the server, once their signature is right. */
import { z } from 'zod'
import { outsideCallSchema, roleFor, roles, type OutsideReply, type Role } from '../published/outside-call.ts'
import type { Admission } from './admission.ts'
import { ASK_LASTS, type Asks } from './asks.ts'
import { asDevice, type Devices, type PairedDevice } from './devices.ts'
import type { SignedReply, SignedRequests } from './http.ts'
import type { Hub, HubReader } from './hub/hub.ts'
import { RateLimit } from './limits.ts'
import type { OpenedNotifications } from './notify/open-notifications.ts'
import type { ServedRequests } from './page-lines.ts'
import type { Share } from './shares.ts'
import type { Signer } from './signers.ts'
import type { Streams } from './streams.ts'

export type RequestParts = {
  hub: Hub
  devices: Devices
  admission: Admission
  asks: Asks
  streams: Streams
  notifier: Pick<OpenedNotifications, 'subscribe' | 'forget'> | null
  elapsed: () => number
  onSeen: () => void
}

const conversation = z.string().max(200)
const index = z.int().nonnegative()
const streamSchema: z.ZodType<ServedRequests['stream'][0]> = z.object({
  epoch: z.string().max(200),
  known: z.int().nonnegative(),
  watch: conversation.nullable(),
  since: z.int().nonnegative().exactOptional(),
})
const blocksSchema = z.object({ conversation, from: index, to: index })
const insideSchema = z.object({ conversation, block: z.string().max(200), piece: index })
const callSchema = z.object({ conversation, call: outsideCallSchema })
const pushSchema = z.object({ subscription: z.unknown() })
/** Blocks of a request. */
const MOST_BLOCKS = 200

type Handler = (who: KnownReader, body: unknown) => Promise<SignedReply>
type KnownReader = HubReader & { of: string; paired: PairedDevice | null }

export function createRequests(parts: RequestParts): SignedRequests {
  const { admission, devices, elapsed } = parts
  const handlers = handlersOf(parts)
  const limits = new Map<string, RateLimit>()
  return async (name, signer, body, from) => {
    if (!limitOf(limits, idOf(signer), elapsed).take()) return { error: 'many' }
    if (signer.kind === 'device' && devices.see(signer.device, from)) parts.onSeen()
    if (name === 'pair/status') return statusReply(signer, admission, from)
    if (name === 'leave') return leave(parts, signer)
    if (signer.kind === 'newcomer' || (signer.kind === 'device' && !signer.device.isAdmitted)) return { error: 'admit' }
    const handler = handlers.get(name)
    return handler ? handler(readerOf(signer), body) : { error: 'path' }
  }
}

function handlersOf(parts: RequestParts): ReadonlyMap<string, Handler> {
  const { hub, streams, notifier } = parts
  return new Map<string, Handler>([
    [
      'stream',
      reading(streamSchema, async (who, request) => {
        const open = streams.open(who.of, who.only !== null)
        if (!open) return { error: 'many' }
        const { device, only } = who
        return { lines: hub.stream({ device, only, ...request, signal: open.signal }), onEnd: open.close }
      }),
    ],
    [
      'blocks',
      reading(blocksSchema, async (who, { conversation: id, from, to }) => {
        const found = await hub.blocks(who, id, { from, to: Math.min(to, from + MOST_BLOCKS) })
        return found ? { value: found } : { error: 'path' }
      }),
    ],
    [
      'inside',
      reading(insideSchema, async (who, { conversation: id, block, piece }) => {
        const found = await hub.inside(who, id, { block, piece })
        return found ? { value: found } : { error: 'path' }
      }),
    ],
    [
      'call',
      reading(callSchema, async ({ paired }, { conversation: id, call }) => {
        if (!paired || !mayDo(paired.role, roleFor[call.do])) return { error: 'role' }
        return { value: await carryOut(parts, paired, id, call) }
      }),
    ],
    [
      'push',
      reading(pushSchema, async ({ paired }, { subscription }) => {
        if (!paired) return { error: 'role' }
        const none = { ok: false, message: 'This server sends no notifications.', publicKey: '' }
        return { value: notifier?.subscribe(paired.id, subscription) ?? none }
      }),
    ],
  ])
}

function reading<Request>(
  schema: z.ZodType<Request>,
  handle: (who: KnownReader, request: Request) => Promise<SignedReply>,
): Handler {
  return async (who, body) => {
    const { success, data } = schema.safeParse(body)
    return success ? handle(who, data) : { error: 'body' }
  }
}

/** A request of a device. One that changes what a conversation does unasked needs a yes of the person at this terminal, once. */
async function carryOut(
  { hub, asks }: RequestParts,
  device: PairedDevice,
  id: string,
  call: z.infer<typeof outsideCallSchema>,
): Promise<OutsideReply> {
  const row = hub.conversations().find(each => each.id === id)
  if (!row) return { ok: false, why: 'gone', message: 'This conversation has ended.' }
  // A yes to one mode is none to a looser one.
  const place = JSON.stringify([id, row.mode])
  const answer = await hub.call(asDevice(device), id, call, device.steers.has(place))
  // A UI asks its own person. A conversation in the background has no other terminal than this one.
  if (answer.ok || answer.why !== 'needs_yes' || row.kind !== 'background') return answer
  const { name } = device
  const asked = asks.ask(
    `steer ${device.id} ${place}`,
    { kind: 'steer', name, title: row.title, mode: row.mode ?? 'of its agent' },
    ASK_LASTS,
    yes => {
      if (yes) device.steers.add(place)
    },
  )
  if (asked) return answer
  return { ok: false, why: 'forbidden', message: 'The person at the terminal has refused it.' }
}

function statusReply(signer: Signer, admission: Admission, from: string): SignedReply {
  if (signer.kind === 'share') return { error: 'role' }
  if (signer.kind === 'newcomer') return { value: admission.statusOfNewcomer(signer.newcomer) }
  return { value: admission.statusOf(signer.device, from) }
}

function leave({ devices, admission, streams, notifier }: RequestParts, signer: Signer): SignedReply {
  if (signer.kind === 'share') return { error: 'role' }
  const id = idOf(signer)
  admission.forget(id)
  if (signer.kind === 'device') devices.remove(id)
  notifier?.forget(id)
  streams.end(id, 'This device has left.')
  return { value: { ok: true } }
}

const mayDo = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs)

function idOf(signer: Signer): string {
  if (signer.kind === 'share') return signer.share.id
  return signer.kind === 'device' ? signer.device.id : signer.newcomer.id
}

function readerOf(signer: Exclude<Signer, { kind: 'newcomer' }>): KnownReader {
  if (signer.kind === 'share') return readerOfShare(signer.share)
  const { device } = signer
  return { of: device.id, device: asDevice(device), only: null, paired: device }
}

function readerOfShare({ id, session }: Share): KnownReader {
  return { of: id, device: { id, name: 'a reader', role: 'view' }, only: session, paired: null }
}

/** Requests of one device. */
function limitOf(limits: Map<string, RateLimit>, id: string, elapsed: () => number): RateLimit {
  const limit = limits.get(id) ?? new RateLimit({ perSecond: 20, burst: 100 }, elapsed)
  limits.set(id, limit)
  return limit
}
