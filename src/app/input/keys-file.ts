/** Reads the user's `keys.json` and applies it to the table of keys. */
import type { UserNotice } from '../../platform/errors.ts'
import { actionName } from '../../config/keys/action-name.ts'
import { describeNotice, loadKeys } from '../../config/keys/load.ts'
import type { Binding } from '../../state/binding.ts'
import { createKeymap, type Keymap } from '../../state/keymap.ts'

/** The table with the user's `keys.json` applied, and the problems of that file, one per line. */
export async function loadKeymap(
  table: readonly Binding[],
  path?: string,
): Promise<{ keymap: Keymap; warnings: UserNotice[] }> {
  const named = table.map(binding => Object.assign({ name: actionName(binding.context, binding.action) }, binding))
  const { rows, notices } = await loadKeys(named, path)
  return {
    keymap: createKeymap(rows),
    warnings: notices.map(notice => ({ text: describeNotice(notice), isNote: notice.isNote })),
  }
}
