/** The parts of a conversation that requests of devices need. */
import type { Composing } from '../composer/composing.ts'
import type { AppContext } from '../context/context.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { Turns } from '../turns/turns.ts'

export type OutsideParts = {
  context: AppContext
  turns: Turns
  permissions: Permissions
  composing: Pick<Composing, 'giveBack'>
  batcher: Pick<EventBatcher, 'flush'>
}
