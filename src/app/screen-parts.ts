/** The commands and keys that reach all parts. */
import type { EventParts } from './event-parts.ts'
import { createProjectTrust } from './settings/project-trust.ts'
import { createSettingsCommand } from './settings/settings-command.ts'
import { VimEditing } from './composer/vim-editing.ts'
import type { ControllerOptions } from './controller-options.ts'
import { createActionDispatcher } from './input/dispatch-action.ts'
import { KeyRouter, type InputRouter } from './input/input-router.ts'
import { createKeyDebug } from './input/key-debug.ts'
import { createStopping } from './input/stopping.ts'
import { createLists } from './pickers/lists.ts'
import type { ComposerParts, PermissionParts, SessionParts } from './conversation-parts.ts'

export type UserCommandParts = ReturnType<typeof createCommandParts>

/** The parts that slash commands need and no other part does. */
export function createCommandParts({
  context,
  choicePrompt,
  composing,
  clipboard,
  sending,
}: ComposerParts & SessionParts & EventParts) {
  const projectTrust = createProjectTrust(context, choicePrompt)
  const settingsCommand = createSettingsCommand(context, choicePrompt, projectTrust)
  const browse = (direction: 'up' | 'down'): void => sending.browse(direction)
  const vim = new VimEditing({ context, composing, clipboard, browse, setSetting: settingsCommand.open })
  return { projectTrust, settingsCommand, vim, keyDebug: createKeyDebug(context) }
}

type AllParts = EventParts & ComposerParts & SessionParts & PermissionParts & UserCommandParts

/** The keys, and what they do. */
export function createInput(parts: AllParts, { redraw, readsMacOption = () => false }: ControllerOptions): InputRouter {
  const { permissions } = parts
  const stopping = createStopping(parts)
  const lists = createLists(parts)
  const perform = createActionDispatcher({ ...parts, stopping, lists, redraw })
  return new KeyRouter({ ...parts, panel: permissions.panel, lists, perform, readsMacOption })
}
