import { messageOf } from '../platform/errors.ts'
import { ToolFailure, type MakesReadBox } from './tool.ts'

/** The box of this machine for commands that only read, loaded with the first of them. */
export const machineReadBox: MakesReadBox = async place => {
  const { readBox } = await import('../sandbox/read-box.ts')
  const box = await readBox(place).catch((error: unknown) => {
    throw new ToolFailure(messageOf(error))
  })
  return 'file' in box ? { box } : { box: null, why: box.isNew ? unboxed(box) : null }
}

function unboxed({ why, so }: { why: string; so: string }): string {
  return `Commands that only read run without a box: ${why}${so === '' ? '' : `; ${so}`}. They run as the permissions allow.`
}
