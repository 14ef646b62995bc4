/** The paths and line numbers of a call that asks. */
import type { EventOf } from '../../agent/event.ts'
import { changeStarts } from '../../conversation/queries/edit-result.ts'
import type { ChatState } from '../../conversation/state.ts'
import { runningCall } from '../../conversation/calls/tool-calls.ts'
import { folderLabel } from '../../platform/project.ts'
import { pathWithin } from '../../platform/within.ts'

/** A path for the screen: relative if it is in the folder, otherwise whole, with `~` for the home folder. */
export function shownPath(path: string, folder: string, home: string): string {
  return pathWithin(folder, path) || folderLabel(path, home)
}

/** The first line numbers of changes that an agent reports as parts of files; null if its diff has them. */
export function changeStartsOf(
  { callId, diff }: EventOf<'permission_requested'>,
  { open }: ChatState,
): readonly (number | null)[] | null {
  if (callId === null || diff === undefined || open?.kind !== 'turn') return null
  const call = open.parts.get(runningCall(open, callId))
  return call?.kind === 'tool' && call.diffs.length > 0 ? changeStarts(call) : null
}
