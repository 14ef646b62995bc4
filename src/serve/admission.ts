/** Lets devices in: new ones by their link and a yes in the terminal, those of an earlier server by a yes alone. */
import type { KeyObject } from 'node:crypto'
import { ADMIT_LASTS, ASK_LASTS, freshNumber, type Asks } from './asks.ts'
import { LONGEST_NAME, type Devices, type PairedDevice } from './devices.ts'
import { UsedCounters } from './nonces.ts'
import type { ServedRequests } from './page-lines.ts'
import type { Pairing } from './pairing.ts'
import { idOfKey, readDeviceKey } from './signatures.ts'

/** A device that has used a link, and waits for the person or was refused. `about` is what the person is asked about. */
export type Newcomer = {
  id: string
  verifier: KeyObject
  used: UsedCounters
  number: string
  about: string
  isRefused: boolean
}
type PairRequest = ServedRequests['pair'][0]
type PairStatus = ServedRequests['pair/status'][1]

/** Newcomers that are remembered, so that they can be answered. */
const MOST_NEWCOMERS = 16

export class Admission {
  readonly #pairing: Pairing
  readonly #devices: Devices
  readonly #asks: Asks
  readonly #newcomers = new Map<string, Newcomer>()

  constructor({ pairing, devices, asks }: { pairing: Pairing; devices: Devices; asks: Asks }) {
    this.#pairing = pairing
    this.#devices = devices
    this.#asks = asks
  }

  newcomer(id: string): Newcomer | null {
    return this.#newcomers.get(id) ?? null
  }

  /** Asks the person about a new device. Null if its link is void, or its key is none. */
  pair(request: PairRequest, from: string): ServedRequests['pair'][1] | null {
    const { attempt, key, proof } = request
    const verifier = readDeviceKey(key)
    const proven = verifier && this.#pairing.prove(attempt, key, request.name, proof)
    if (!proven) return null
    const { role, number, nonce } = proven
    const id = idOfKey(key)
    const name = nameOf(request.name)
    const used = this.#newcomers.get(id)?.used ?? this.#devices.find(id)?.used ?? new UsedCounters()
    const about = `pair ${nonce}`
    const newcomer: Newcomer = { id, verifier, used, number, about, isRefused: false }
    this.#newcomers.delete(id)
    this.#newcomers.set(id, newcomer)
    const [oldest] = this.#newcomers.keys()
    if (this.#newcomers.size > MOST_NEWCOMERS && oldest !== undefined) this.#newcomers.delete(oldest)
    const asked = this.#asks.ask(about, { kind: 'pair', name, role, number, from }, ASK_LASTS, yes => {
      if (yes && this.#devices.add({ name, role, key: { x: key.x, y: key.y }, from }, used)) this.#newcomers.delete(id)
      else newcomer.isRefused = true
    })
    if (!asked) newcomer.isRefused = true
    return { nonce, device: id }
  }

  /** How far a newcomer is. One that nobody has answered in time is refused: its link is void, and nothing asks for it any more. */
  statusOfNewcomer({ isRefused, number, about }: Newcomer): PairStatus {
    return { state: isRefused || !this.#asks.find(about) ? 'refused' : 'waiting', number }
  }

  /** How far a known device is. One that this server has not let in is asked about, for as long as it asks. */
  statusOf(device: PairedDevice, from: string): PairStatus {
    if (device.isAdmitted) return { state: 'paired', number: '' }
    const { id, name, role } = device
    const ask = this.#asks.ask(
      admitting(id),
      { kind: 'admit', name, role, number: freshNumber(), from },
      ADMIT_LASTS,
      yes => {
        if (yes) this.#devices.admit(id)
      },
    )
    if (ask?.kind !== 'admit') return { state: 'refused', number: '' }
    return { state: 'waiting', number: ask.number }
  }

  /** Forgets all that waits about a device. */
  forget(id: string): void {
    const newcomer = this.#newcomers.get(id)
    this.#newcomers.delete(id)
    if (newcomer) this.#asks.forget(newcomer.about)
    this.#asks.forget(admitting(id))
  }
}

const admitting = (id: string): string => `admit ${id}`

/** At most so long, and never empty. */
function nameOf(typed: string): string {
  return typed.trim().slice(0, LONGEST_NAME).trim() || 'a browser'
}
