/** The code of the vim editor, which is loaded on demand. */

import type * as vim from '../../composer/vim/machine.ts'

export type VimMachine = typeof vim

let machine: VimMachine | null = null

/** Null while it is not loaded. */
export function loadedVim(): VimMachine | null {
  return machine
}

export async function loadVim(): Promise<VimMachine> {
  machine ??= await import('../../composer/vim/machine.ts')
  return machine
}
