/**
 * Between the server and the terminal of the person who started it: what the terminal shows, and what the person decides there. It is the only
 * way to confirm a device, and goes over the keyboard of `zotui serve` or the channel to the UI that started the process: never over a socket.
 */
import { z } from 'zod'
import { roles } from './outside-call.ts'

const role = z.enum(roles)

const knownDeviceSchema = z.object({
  id: z.string(),
  /** As its owner called it: unsanitised. */
  name: z.string(),
  role,
  /** Milliseconds since the Unix epoch. */
  pairedAt: z.number(),
  /** The last request; null for none since it was paired. */
  seenAt: z.number().nullable(),
  /** Where the last request came from: an address, and the name of the browser. Unsanitised. */
  from: z.string(),
  /** True if it looks at something now. */
  isWatching: z.boolean(),
  /** False for one that was paired with an earlier server: it waits for a yes. */
  isAdmitted: z.boolean(),
})
export type KnownDevice = z.infer<typeof knownDeviceSchema>

/** Something that waits for the person at this terminal. Each has its own number, which the device shows, too. */
const waitingSchema = z.discriminatedUnion('kind', [
  /** A new device. `number` has six digits. */
  z.object({ kind: z.literal('pair'), id: z.string(), name: z.string(), role, number: z.string(), from: z.string() }),
  /** A device that was paired with an earlier server. */
  z.object({ kind: z.literal('admit'), id: z.string(), name: z.string(), role, number: z.string(), from: z.string() }),
  /** A device wants to send prompts to a conversation in the background whose mode does not ask. */
  z.object({ kind: z.literal('steer'), id: z.string(), name: z.string(), title: z.string(), mode: z.string() }),
])
export type WaitingAsk = z.infer<typeof waitingSchema>

export const serveViewSchema = z.object({
  /** `http://127.0.0.1:4747`. */
  address: z.string(),
  /** The address of the tunnel; null without `--at`. */
  at: z.string().nullable(),
  /** The link for a new device, with its token in the fragment, and when that expires; null while there is none. */
  pairing: z.object({ link: z.string(), role, expiresAt: z.number() }).nullable(),
  devices: z.array(knownDeviceSchema).readonly(),
  waiting: z.array(waitingSchema).readonly(),
  /** The processes whose conversations it lists. `code` is not '' for one whose person has not said yes yet. */
  publishers: z
    .array(z.object({ id: z.string(), folder: z.string(), conversations: z.int(), code: z.string() }))
    .readonly(),
  shares: z
    .array(z.object({ id: z.string(), title: z.string(), link: z.string(), endsAt: z.number(), readers: z.int() }))
    .readonly(),
  /** Commands that make it reachable from elsewhere, for tunnels that this machine has. */
  tunnels: z.array(z.object({ name: z.string(), command: z.string() })).readonly(),
  /** How many conversations are at work: a command of one of them could read the numbers on this screen, or press keys in its pane. */
  atWork: z.int(),
  /** One line for the person; '' for none. */
  problem: z.string(),
})
export type ServeView = z.infer<typeof serveViewSchema>

/** What the person at the terminal does. */
export const serveActionSchema = z.discriminatedUnion('do', [
  /** Makes a new link; the former one is void. */
  z.object({ do: z.literal('pair'), role }),
  /** Answers one of `waiting`. */
  z.object({ do: z.literal('answer'), id: z.string(), yes: z.boolean() }),
  z.object({ do: z.literal('set_role'), device: z.string(), role }),
  /** It is forgotten, and its connections end at once. */
  z.object({ do: z.literal('revoke'), device: z.string() }),
  /** A link to read one conversation, by its saved session, until `endsAt`. */
  z.object({ do: z.literal('share'), session: z.string(), endsAt: z.number() }),
  z.object({ do: z.literal('end_share'), share: z.string() }),
])
export type ServeAction = z.infer<typeof serveActionSchema>

/** The first argument of a server that a UI starts. Without a channel to the parent it is a prompt. */
export const SERVE = 'serve-conversations'

/** What a UI tells its server first. `secret`: see `hello` of the published socket. */
export const serveStartSchema = z.object({
  port: z.int().nullable(),
  at: z.string().nullable(),
  secret: z.string(),
})
export type ServeStart = z.infer<typeof serveStartSchema>

export const toServerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), start: serveStartSchema }),
  z.object({ type: z.literal('action'), action: serveActionSchema }),
])
export type ToServer = z.infer<typeof toServerSchema>

export const fromServerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('view'), view: serveViewSchema }),
  /** It cannot run, and ends. `message` and `hint` as in a `UserError`. */
  z.object({ type: z.literal('failed'), message: z.string(), hint: z.string() }),
])
export type FromServer = z.infer<typeof fromServerSchema>
