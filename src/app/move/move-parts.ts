import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { AppContext } from '../context/context.ts'
import type { Conversations } from '../context/conversations.ts'
import type { Host } from '../context/host.ts'
import type { MoveProgress } from './progress.ts'

/** What a move needs of the program around it. */
export type MoveParts = {
  context: AppContext
  conversations: Conversations
  sessions: Sessions
  host: Host
  progress: MoveProgress
}

/** `moved`: this conversation is gone, and another one stands in its place. `stays`: the person does not want it. */
export type MoveEnd = 'moved' | 'stays'
