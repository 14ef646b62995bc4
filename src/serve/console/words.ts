/** What the terminal of `zotui serve` says. Each is whole lines, so that they can be read aloud in their order. */
import type { KnownDevice, ServeView, WaitingAsk } from '../../published/control.ts'
import type { Role } from '../../published/outside-call.ts'
import { formatDuration } from '../../text/format.ts'
import { oneLine, sanitize, type SafeText } from '../../text/sanitize.ts'

export const KEYS = 'p: a new link   d: devices   r: remove a device   q: end'

/** What a device with a role may do, after "may". */
export const roleWords: Readonly<Record<Role, string>> = {
  view: 'watch',
  answer: 'watch, answer questions and stop a turn',
  steer: 'watch, answer, send prompts and change the queue',
}

/** As both screens show it: `481 920`. */
export const spacedNumber = (number: string): string => `${number.slice(0, 3)} ${number.slice(3)}`

export const quoted = (name: string): SafeText => oneLine(sanitize(`"${name}"`))

export function beginning({ address, at, tunnels }: ServeView): string[] {
  const here = `zotui serves your conversations on ${address}, for this machine alone.`
  if (at !== null) return [here, `Through your tunnel: ${at}`]
  if (tunnels.length === 0)
    return [here, 'A phone reaches it through a tunnel only; no program for one was found here.']
  return [
    here,
    'A phone reaches it through a tunnel. Run one of these, and start this again with --at and the address that it names:',
    ...tunnels.map(({ name, command }) => `  ${oneLine(sanitize(command))}   (${name})`),
  ]
}

export function linkLines({ link, role }: NonNullable<ServeView['pairing']>): string[] {
  return ['Open this on the device, within two minutes and once:', link, `The device may then ${roleWords[role]}.`]
}

export function askLines(ask: WaitingAsk, atWork: number): string[] {
  const about = askWords(ask)
  const note =
    atWork > 0 && ask.kind !== 'steer'
      ? ['An agent is at work: a command of it could read this screen. Answer only if your device shows the number.']
      : []
  return [...about, ...note, 'y: yes   n: no (Enter is no)']
}

function askWords(ask: WaitingAsk): string[] {
  const name = quoted(ask.name)
  switch (ask.kind) {
    case 'pair':
      return [
        `${name} (${oneLine(sanitize(ask.from))}) wants in, and may then ${roleWords[ask.role]}.`,
        `Let it in, if it shows ${spacedNumber(ask.number)}?`,
      ]
    case 'admit':
      return [
        `${name} (${oneLine(sanitize(ask.from))}) was here before, and may ${roleWords[ask.role]}.`,
        `Let it in again, if it shows ${spacedNumber(ask.number)}?`,
      ]
    case 'steer':
      return [
        `${name} wants to send prompts to "${oneLine(sanitize(ask.title))}", whose mode (${oneLine(sanitize(ask.mode))}) does not ask before commands run.`,
        'Allow that, for as long as this server runs?',
      ]
  }
}

export function deviceLines(devices: readonly KnownDevice[], now: number): string[] {
  if (devices.length === 0) return ['No device was let in yet.']
  return devices.map(({ name, role, seenAt, from, isWatching, isAdmitted }, index) => {
    const seen = isWatching
      ? 'watches now'
      : seenAt === null
        ? 'never seen'
        : `seen ${formatDuration(now - seenAt)} ago`
    const state = isAdmitted ? seen : `${seen}, waits to be let in again`
    return `${index + 1}: ${quoted(name)} may ${roleWords[role]}; ${state}, ${oneLine(sanitize(from))}`
  })
}
