/** One who runs a race, in the words of its row. */
import type { RaceView } from '../../../src/app/race/race-run.ts'
import type { Entrant } from '../../../src/race/race-record.ts'
import { isAtWork } from '../../../src/race/race-steps.ts'
import { counted } from '../../../src/text/counted.ts'
import { formatCost, formatDuration, formatTokens } from '../../../src/text/format.ts'

export type ShownEntrant = {
  entrant: Entrant
  label: string
  live: ReturnType<RaceView['live']['get']>
  isGoing: boolean
  now: number
}

const STEPS: Readonly<Record<Entrant['step'], string>> = {
  waiting: 'waits for a turn',
  making: 'making a worktree',
  starting: 'starting',
  working: 'working',
  done: 'done',
  stopped: 'stopped',
  failed: 'failed',
}

export function stepWords({ entrant, live, isGoing }: ShownEntrant): string {
  if (entrant.isPicked) return 'taken'
  if (entrant.isDiscarded) return 'discarded'
  if (entrant.step === 'waiting' && !isGoing) return 'not begun'
  return live?.state === 'asks' ? 'asks you' : STEPS[entrant.step]
}

/** Whether it says all that there is to say: a check that was cut off says nothing about the work. */
export function checkWords({ check }: Pick<Entrant, 'check'>): string {
  if (check === null) return ''
  switch (check.state) {
    case 'running':
      return 'check runs'
    case 'cut':
      return 'check cut off'
    case 'stopped':
      return 'check stopped'
    case 'ended':
      if (check.problem !== '') return 'check did not start'
      return check.exitCode === 0 ? 'check ok' : `check exit ${check.exitCode ?? 'signal'}`
  }
}

/** For a row without room for both: the check says that the turn is done, and how. */
export function outcomeWords(shown: ShownEntrant): string {
  const { step, check, isPicked, isDiscarded } = shown.entrant
  const isChecked = step === 'done' && check !== null && !isPicked && !isDiscarded
  return isChecked ? checkWords(shown.entrant) : stepWords(shown)
}

/** What was taken is in the own branch: nothing is left to compare. */
export function changesWords({ changes, isPicked }: Pick<Entrant, 'changes' | 'isPicked'>, isWhole = true): string {
  if (changes === null || (isPicked && changes.files === 0)) return ''
  const { files, added, removed } = changes
  if (files === 0) return 'no changes'
  return isWhole ? `+${added} -${removed} in ${counted(files, 'file')}` : `+${added} -${removed}`
}

export function timeWords({ entrant, now }: ShownEntrant): string {
  const { startedAt, workedMs } = entrant
  if (isAtWork(entrant) && startedAt !== null) return formatDuration(Math.max(0, now - startedAt))
  return workedMs === 0 ? '' : formatDuration(workedMs)
}

/** Null while nothing is known: one that has just begun has cost nothing yet. */
export function costOf({ entrant, live }: Pick<ShownEntrant, 'entrant' | 'live'>): number | null {
  return entrant.costUsd ?? (live?.costUsd === 0 ? null : (live?.costUsd ?? null))
}

export function costWords(shown: ShownEntrant): string {
  const cost = costOf(shown)
  return cost === null ? '' : formatCost(cost)
}

export function tokenWords({ tokens }: Pick<Entrant, 'tokens'>): string {
  return tokens === null ? '' : `${formatTokens(tokens.input)} in ${formatTokens(tokens.output)} out`
}

/** All that its row may say. */
export function factWords(shown: ShownEntrant): string[] {
  const { entrant } = shown
  return [
    stepWords(shown),
    checkWords(entrant),
    changesWords(entrant),
    timeWords(shown),
    costWords(shown),
    tokenWords(entrant),
  ].filter(words => words !== '')
}

/** All of it in a sentence, for people who use a screen reader. */
export function spokenWords(shown: ShownEntrant): string {
  const { entrant, label } = shown
  const facts = [...factWords(shown), entrant.problem].filter(words => words !== '')
  return `${label}: ${facts.join(', ')}`
}
