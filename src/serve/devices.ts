/**
 * The devices that were paired, in a file of the person's state folder. A command of an agent may have written that file, so a server lets
 * none of them in before the person has said yes in its terminal. Only what this server has seen itself counts from then on.
 */
import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing } from '../platform/errors.ts'
import { readTextSync } from '../platform/regular-file.ts'
import { roles, type Device, type Role } from '../published/outside-call.ts'
import { replaceFile } from '../storage/replace-file.ts'
import { parseJson, toJson } from '../text/json.ts'
import { UsedCounters } from './nonces.ts'
import { idOfKey, readDeviceKey } from './signatures.ts'

export const MOST_DEVICES = 32
/** Characters of a name. */
export const LONGEST_NAME = 60
const LONGEST_FROM = 200
/** Milliseconds between two notes of when a device was seen. */
const SEEN = 60_000

const keptSchema = z.object({
  id: z.string(),
  name: z.string().max(LONGEST_NAME),
  role: z.enum(roles),
  key: z.object({ x: z.string(), y: z.string() }),
  pairedAt: z.number(),
  seenAt: z.number().nullable(),
  from: z.string().max(LONGEST_FROM),
})
const fileSchema = z.object({ version: z.literal(1), devices: z.array(z.unknown()).max(1000) })
type KeptDevice = z.infer<typeof keptSchema>

export type PairedDevice = KeptDevice & {
  verifier: KeyObject
  used: UsedCounters
  /** True if the person has said yes to it in this server's terminal. */
  isAdmitted: boolean
  /** The conversations in the background, each with a mode that does not ask, to which it may send prompts: the person said yes to each. */
  steers: Set<string>
}

export class Devices {
  readonly #path: string
  readonly #now: () => number
  readonly #log: (line: string) => void
  readonly #all = new Map<string, PairedDevice>()

  constructor({ stateFolder, now, log }: { stateFolder: string; now: () => number; log: (line: string) => void }) {
    this.#path = join(stateFolder, 'serve', 'devices.json')
    this.#now = now
    this.#log = log
    for (const device of this.#read()) this.#all.set(device.id, device)
  }

  list(): readonly PairedDevice[] {
    return [...this.#all.values()]
  }

  find(id: string): PairedDevice | null {
    return this.#all.get(id) ?? null
  }

  /**
   * Adds a device to which the person has said yes. False if there are too many. `used`: what its key has signed already, which stays used.
   */
  add(device: Pick<KeptDevice, 'name' | 'role' | 'key' | 'from'>, used: UsedCounters): boolean {
    const verifier = readDeviceKey(device.key)
    const id = idOfKey(device.key)
    if (!verifier || (this.#all.size >= MOST_DEVICES && !this.#all.has(id))) return false
    const now = this.#now()
    const { name, role, key, from } = device
    const added = { id, name, role, key, from: from.slice(0, LONGEST_FROM), pairedAt: now, seenAt: null }
    this.#all.set(id, { ...added, verifier, used, isAdmitted: true, steers: new Set() })
    this.#write()
    return true
  }

  admit(id: string): void {
    const device = this.#all.get(id)
    if (device) device.isAdmitted = true
  }

  setRole(id: string, role: Role): void {
    const device = this.#all.get(id)
    if (!device) return
    device.role = role
    this.#write()
  }

  remove(id: string): void {
    if (this.#all.delete(id)) this.#write()
  }

  /** Notes a request. True if it is worth telling: the time or the place has changed. */
  see(device: PairedDevice, from: string): boolean {
    const now = this.#now()
    const place = from.slice(0, LONGEST_FROM)
    if (device.from === place && device.seenAt !== null && Math.abs(now - device.seenAt) < SEEN) return false
    device.seenAt = now
    device.from = place
    this.#write()
    return true
  }

  #read(): PairedDevice[] {
    let text: string
    try {
      text = readTextSync(this.#path)
    } catch (error) {
      if (!isMissing(error)) this.#log(`the devices cannot be read: ${String(error)}`)
      return []
    }
    const { success, data } = fileSchema.safeParse(parseJson(text))
    return success ? data.devices.flatMap(each => readDevice(each) ?? []).slice(0, MOST_DEVICES) : []
  }

  #write(): void {
    const devices = this.list().map(each => keptSchema.parse(each))
    try {
      replaceFile(this.#path, `${toJson({ version: 1, devices }, 2)}\n`)
    } catch (error) {
      // The server goes on; the device has to be paired again after its end.
      this.#log(`the devices cannot be saved: ${String(error)}`)
    }
  }
}

/** Null for what this program did not write: a key that is none, or not that of its ID. */
function readDevice(value: unknown): PairedDevice | null {
  const { success, data } = keptSchema.safeParse(value)
  if (!success || data.id !== idOfKey(data.key)) return null
  const verifier = readDeviceKey(data.key)
  return verifier && { ...data, verifier, used: new UsedCounters(), isAdmitted: false, steers: new Set() }
}

export function asDevice({ id, name, role }: Pick<PairedDevice, 'id' | 'name' | 'role'>): Device {
  return { id, name, role }
}
