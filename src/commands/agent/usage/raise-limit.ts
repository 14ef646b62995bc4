/** `/usage limit USD`: raises the limit of the day for today, for all conversations of all programs. */
import type { AppContext } from '../../../app/context/context.ts'
import { messageOf } from '../../../platform/errors.ts'
import { formatExactCost } from '../../../text/format.ts'
import { NOT_DONE } from '../../../state/slash.ts'

export function raiseLimit({ dayCost, addProgramNotice }: AppContext, argument: string): unknown {
  const [, amount = ''] = /^limit\s+\$?(\d+(?:\.\d+)?)$/.exec(argument.trim()) ?? []
  const more = Number(amount)
  const limit = dayCost?.now().limitUsd ?? null
  const refused = refusal(more, limit)
  if (refused !== null || !dayCost) {
    addProgramNotice('warn', refused ?? NO_LIMIT)
    return NOT_DONE
  }
  try {
    dayCost.raise(more)
  } catch (error) {
    addProgramNotice('error', `The limit of today was not raised: ${messageOf(error)}.`)
    return NOT_DONE
  }
  addProgramNotice('info', `The limit of today is now ${formatExactCost(more)}, for all conversations.`)
  return undefined
}

const NO_LIMIT = 'There is no limit of the day: /settings maxCostPerDayUsd sets one.'

/** Why the limit cannot be this one; null if it can. */
function refusal(more: number, limit: number | null): string | null {
  if (limit === null) return NO_LIMIT
  if (more === 0) return '/usage limit needs an amount in dollars: /usage limit 20'
  return more > limit ? null : `The limit of today is ${formatExactCost(limit)} already.`
}
