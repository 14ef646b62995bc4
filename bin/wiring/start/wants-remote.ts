import type { Arguments } from '../../cli/arguments.ts'

/** Whether zot is to run on another machine. This file is loaded by every start, and the rest only by those. */
export function wantsRemote({ on, via }: Pick<Arguments, 'on' | 'via'>): boolean {
  return on !== null || via !== null
}
