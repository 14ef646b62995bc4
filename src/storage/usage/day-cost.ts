/**
 * What all conversations of this user on this machine have cost today, in all folders, and the limit for that. Everybody records into the
 * file of the day, also during a turn, so the sum is that of all programs. Only what was added since the last look is read.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readTextSync } from '../../platform/regular-file.ts'
import { parseJson } from '../../text/json.ts'
import { formatExactCost } from '../../text/format.ts'
import { sentence } from '../../text/sentence.ts'
import { dayOf, nextDay } from '../../usage/days.ts'
import { readLines } from '../jsonl-read.ts'
import { replaceFile } from '../replace-file.ts'
import { unrecordedCost } from './ledger.ts'

export type DaySum = {
  /** In US dollars; null if it cannot be read. */
  spentUsd: number | null
  /** With what it was raised to for today; null for no limit. */
  limitUsd: number | null
}

export type DayCost = {
  now: () => DaySum
  /** Whether no new turn may begin. True if the cost cannot be read: nobody knows what is left. */
  isReached: () => boolean
  /** Why no new turn may begin: a sentence without a full stop. */
  why: () => string
  /** What today has cost of which limit, in a sentence; '' without a limit. */
  words: () => string
  /** A warning, once for each limit and day, that the limit is near. Null for none. */
  warning: () => string | null
  /** Raises the limit for today, for all programs. @throws what the system throws. */
  raise: (limitUsd: number) => void
}

export type DayCostOptions = {
  stateFolder: string
  now: () => number
  /** The setting; null for no limit. */
  limit: () => number | null
}

/** The share of the limit from which on zotui warns. */
const WARNING = 0.8
/** Sums of costs are rounded. */
const ROUNDING = 1e-9

const raisedSchema = z.object({ day: z.string(), limitUsd: z.number().positive() })

export const raisedPath = (stateFolder: string): string => join(stateFolder, 'usage', 'raised.json')

/** Opening reads and creates nothing. */
export function openDayCost({ stateFolder, now, limit }: DayCostOptions): DayCost {
  const files = new Map<string, CostFile>()
  let warned = ''

  function spent(day: string): number | null {
    // The clock may have been ahead, and what was recorded then is not to be spent twice.
    const days = [day, nextDay(day)]
    for (const old of files.keys()) if (!days.includes(old)) files.delete(old)
    try {
      return days.reduce((sum, each) => sum + costOfDay(each), 0)
    } catch {
      // It is not a file, or nobody may read it.
      return null
    }
  }

  function costOfDay(day: string): number {
    const path = join(stateFolder, 'usage', `${day}.jsonl`)
    const file = files.get(day) ?? new CostFile(path)
    files.set(day, file)
    return file.sum() + unrecordedCost(path)
  }

  function limitOf(day: string): number | null {
    const own = limit()
    return own === null ? null : Math.max(own, raisedTo(stateFolder, day))
  }

  function sumNow(): DaySum {
    const day = dayOf(now())
    const limitUsd = limitOf(day)
    return { spentUsd: spent(day), limitUsd }
  }

  return {
    now: sumNow,
    isReached: () => limit() !== null && isOver(sumNow()),
    why: () => spentWords(sumNow()),
    words() {
      const sum = sumNow()
      return sum.limitUsd === null ? '' : sentence(spentWords(sum))
    },
    warning() {
      if (limit() === null) return null
      const sum = sumNow()
      const { spentUsd, limitUsd } = sum
      if (spentUsd === null || limitUsd === null || isOver(sum) || spentUsd < limitUsd * WARNING) return null
      const key = `${dayOf(now())} ${limitUsd}`
      if (warned === key) return null
      warned = key
      return `All conversations together have cost ${formatExactCost(spentUsd)} today, of at most ${formatExactCost(limitUsd)}.`
    },
    raise: limitUsd =>
      replaceFile(
        raisedPath(stateFolder),
        JSON.stringify({ day: dayOf(now()), limitUsd } satisfies z.infer<typeof raisedSchema>),
      ),
  }
}

function isOver({ spentUsd, limitUsd }: DaySum): boolean {
  return limitUsd !== null && (spentUsd === null || spentUsd >= limitUsd * (1 - ROUNDING))
}

function spentWords({ spentUsd, limitUsd }: DaySum): string {
  if (spentUsd === null) return 'what today has cost cannot be read, and maxCostPerDayUsd limits it'
  const most = limitUsd === null ? '' : ` of at most ${formatExactCost(limitUsd)} (maxCostPerDayUsd)`
  return `all conversations have cost ${formatExactCost(spentUsd)} today${most}`
}

/** What the user has raised the limit to on this day; 0 if they have not, or if that cannot be read. */
function raisedTo(stateFolder: string, day: string): number {
  try {
    const read = raisedSchema.safeParse(parseJson(readTextSync(raisedPath(stateFolder), LARGEST)))
    return read.success && read.data.day === day ? read.data.limitUsd : 0
  } catch {
    // Usually there is none.
    return 0
  }
}

/** Bytes of the largest file with a raised limit. */
const LARGEST = 1000

/** The costs in the file of a day, which only grows. */
class CostFile {
  readonly #path: string
  #inode = 0
  /** The offset up to which it has been read, and the sum of that. */
  #read = 0
  #sum = 0

  constructor(path: string) {
    this.#path = path
  }

  /** @throws what the system throws if it is there and cannot be read. */
  sum(): number {
    const stats = statSync(this.#path, { throwIfNoEntry: false })
    if (!stats) return 0
    if (stats.ino !== this.#inode || stats.size < this.#read) {
      this.#inode = stats.ino
      this.#read = this.#sum = 0
    }
    if (stats.size > this.#read) this.#readOn()
    return this.#sum
  }

  #readOn(): void {
    for (const { lines, areFinished, finished } of readLines(this.#path, { from: this.#read })) {
      // The rest of a line that is being written comes with the next look.
      if (!areFinished) return
      for (const line of lines) this.#sum += costIn(parseJson(line))
      this.#read = finished
    }
  }
}

/** The records with a cost, as far as they are about it. */
const costSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('call'), usage: z.object({ costUsd: z.number().nullable() }) }),
  z.object({ kind: z.literal('cost'), costUsd: z.number() }),
])

function costIn(record: unknown): number {
  const read = costSchema.safeParse(record)
  if (!read.success) return 0
  // An agent may report anything, and must not give the others money back.
  return Math.max(0, (read.data.kind === 'call' ? read.data.usage.costUsd : read.data.costUsd) ?? 0)
}
