import type { AgentEvent } from './event.ts'
import { sentence } from '../text/sentence.ts'

/** Says in one line why the agent does not get the folders that the user has opened. */
export function foldersClosed(reason: string, at: number): AgentEvent {
  return {
    type: 'warning_raised',
    at,
    message: `The folders that you opened with /add-dir are closed: ${sentence(reason)}`,
  }
}
