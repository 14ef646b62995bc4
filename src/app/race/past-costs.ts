/** The costs of past turns in a project and its worktrees, from the ledger. */
import { setImmediate } from 'node:timers/promises'
import { isWithin } from '../../platform/within.ts'
import { TurnCosts } from '../../race/estimate.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import { lastDays } from '../../usage/days.ts'
import { openProject } from '../../worktrees/project.ts'
import { worktreesFolder } from '../../worktrees/record.ts'

/** Days that are looked at. */
const DAYS = 60

type CostSources = {
  ledger: Pick<Ledger, 'readDay'> | undefined
  stateFolder: string
  folder: string
  env: NodeJS.ProcessEnv
  now: number
}

/** Reads the oldest first, in pieces. Never rejects. */
export async function pastCosts({ ledger, stateFolder, folder, env, now }: CostSources): Promise<TurnCosts> {
  const costs = new TurnCosts()
  if (!ledger) return costs
  const top = await openProject(folder, env).then(
    project => project.top,
    () => folder,
  )
  const places = [top, worktreesFolder(stateFolder, top)]
  for (const day of lastDays(now, DAYS)) {
    for (const records of ledger.readDay(day)) {
      for (const record of records) if (places.some(place => isWithin(place, record.folder))) costs.add(record)
      await setImmediate()
    }
  }
  return costs
}
