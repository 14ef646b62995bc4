import type { Arguments } from '../../cli/argument-types.ts'

/** Whether zot runs on another machine. Every start loads this file; only those load the rest. */
export function wantsRemote({ on, via }: Pick<Arguments, 'on' | 'via'>): boolean {
  return on !== null || via !== null
}
