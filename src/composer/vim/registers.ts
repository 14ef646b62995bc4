/** The registers: the targets of yanked and deleted text, and the sources of a put. */
import { detached } from '../../text/detached.ts'
import type { Register, Registers } from './vim.ts'

/** The register of the system's clipboard. */
export function isClipboard(name: string | null): boolean {
  return name === '+' || name === '*'
}

/** The register with this sign, or the unnamed one. */
export function registerOf({ kept, unnamed }: Registers, name: string | null): Register | null {
  const sign = name === null || name === '"' ? unnamed : name === '*' ? '+' : name.toLowerCase()
  return kept.get(sign) ?? null
}

/** The registers after a yank. */
export function yanked(registers: Registers, name: string | null, register: Register): Registers {
  if (name === '_') return registers
  return stored(registers, name ?? '0', register)
}

/** The registers after a deletion. A large one also goes into the first of the numbered ones. */
export function deleted(registers: Registers, name: string | null, register: Register, isBig: boolean): Registers {
  if (name === '_') return registers
  const isNamed = name !== null
  const hasBreak = register.isLinewise || register.text.includes('\n')
  let next = isNamed ? stored(registers, name, register) : registers
  if (hasBreak || isBig) next = shifted(next, register, isNamed && /^[A-Z]$/.test(name) ? next.unnamed : '1')
  if (!isNamed && !hasBreak) next = stored(next, '-', register)
  return next
}

function stored({ kept }: Registers, name: string, register: Register): Registers {
  const sign = name === '*' ? '+' : name === '"' ? '0' : name.toLowerCase()
  const before = /^[A-Z]$/.test(name) ? kept.get(sign) : undefined
  return { kept: new Map(kept).set(sign, copied(before ? appended(before, register) : register)), unnamed: sign }
}

function appended(before: Register, { text, isLinewise }: Register): Register {
  if (before.isLinewise || isLinewise) return { text: `${before.text}\n${text}`, isLinewise: true }
  return { text: before.text + text, isLinewise: false }
}

/** The numbered registers, each moved on by one. */
function shifted({ kept }: Registers, register: Register, unnamed: string): Registers {
  const next = new Map(kept)
  for (let number = 9; number > 1; number -= 1) {
    const former = kept.get(String(number - 1))
    if (former) next.set(String(number), former)
  }
  return { kept: next.set('1', copied(register)), unnamed }
}

const copied = ({ text, isLinewise }: Register): Register => ({ text: detached(text), isLinewise })
