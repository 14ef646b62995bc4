/** What today has cost, and its limit as the person's own settings have it now. */
import { followOwnValue } from '../../src/config/own-value.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { statePath } from '../../src/storage/log.ts'
import { openDayCost, type DayCost } from '../../src/storage/usage/day-cost.ts'

/** Null for the demo, which costs nothing. */
export function dayCostOf(settings: SettingsStore | null): DayCost {
  const limit = settings ? followOwnValue(settings, 'maxCostPerDayUsd') : () => null
  return openDayCost({ stateFolder: statePath(), now: Date.now, limit })
}
